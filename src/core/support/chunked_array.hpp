// An array of initially unknown length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace aslant {

// Values that are appended and later copied out. Unlike a vector, it never moves its contents, so
// growth needs no second copy.
template <class T>
class ChunkedArray {
 public:
  std::size_t size() const { return chunks_.empty() ? 0 : full() + chunks_.back().size(); }

  void push_back(T value) { last().push_back(value); }

  void append(const T* values, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) push_back(values[i]);
  }

  const T& operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }

  // Appends the values from `begin` to `end` to a vector.
  template <class Out>
  void copy_to(std::vector<Out>& out, std::size_t begin, std::size_t end) const {
    while (begin < end) {
      const std::vector<T>& chunk = chunks_[begin / kChunk];
      const std::size_t first = begin % kChunk, n = std::min(end - begin, chunk.size() - first);
      out.insert(out.end(), chunk.begin() + first, chunk.begin() + first + n);
      begin += n;
    }
  }

  void clear() { chunks_ = {}; }

 private:
  static constexpr std::size_t kChunk = 16384;

  std::size_t full() const { return (chunks_.size() - 1) * kChunk; }

  // The chunk for the next value. The first one grows, because most arrays are short.
  std::vector<T>& last() {
    if (chunks_.empty()) {
      chunks_.emplace_back();
    } else if (chunks_.back().size() == kChunk) {
      chunks_.emplace_back();
      chunks_.back().reserve(kChunk);
    }
    return chunks_.back();
  }

  std::vector<std::vector<T>> chunks_;
};

}  // namespace aslant
