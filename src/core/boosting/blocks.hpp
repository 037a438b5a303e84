// Loops over blocks of rows, the same blocks for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "support/parallel.hpp"

namespace aslant {

// Fewer rows than this are not worth a second thread.
constexpr std::size_t kRowsPerBlock = 2048;

inline int n_blocks(std::size_t n) {
  return static_cast<int>((n + kRowsPerBlock - 1) / kRowsPerBlock);
}

// Calls body(block, begin, end). What bodies add up in an array by block, and the caller adds in
// the order of the blocks, does not depend on the number of threads.
template <class Body>
void for_blocks(ThreadPool& pool, std::size_t n, const Body& body) {
  pool.for_each(n_blocks(n), [&](int block) {
    const std::size_t begin = block * kRowsPerBlock;
    body(block, begin, std::min(n, begin + kRowsPerBlock));
  });
}

}  // namespace aslant
