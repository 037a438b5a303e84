// Memory for many small arrays that live as long as a tree grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace aslant {

// Arrays stay where they are; several threads may ask at a time.
template <class T>
class Arena {
 public:
  T* take(std::size_t n) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (n > left_) {
      left_ = std::max(n, kChunk);
      chunks_.emplace_back(new T[left_]);
      next_ = chunks_.back().get();
    }
    T* taken = next_;
    next_ += n;
    left_ -= n;
    return taken;
  }

 private:
  // Small enough to fit into the gaps that the arrays of a forest's earlier trees have left.
  static constexpr std::size_t kChunk = (std::size_t{1} << 15) / sizeof(T);

  std::mutex mutex_;
  std::vector<std::unique_ptr<T[]>> chunks_;
  T* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace aslant
