// Memory for large arrays that are read here and there.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace aslant {

// An allocator that asks for large pages: the processor remembers the addresses of few pages.
template <class T>
struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t size = n * sizeof(T);
    if (size < kPage) return static_cast<T*>(::operator new(size));
    void* memory = ::operator new(size, std::align_val_t{kPage});
#if defined(__linux__)
    madvise(memory, size, MADV_HUGEPAGE);  // only a wish
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t n) {
    if (n * sizeof(T) < kPage)
      ::operator delete(memory);
    else
      ::operator delete(memory, std::align_val_t{kPage});
  }
  bool operator==(const HugePages&) const { return true; }
  bool operator!=(const HugePages&) const { return false; }

 private:
  static constexpr std::size_t kPage = std::size_t{1} << 21;
};

}  // namespace aslant
