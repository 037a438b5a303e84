// Scratch buffers that adapt to the size of the work.
#pragma once

#include <cstddef>
#include <vector>

namespace aslant {

// Makes a buffer at least this long, with undefined contents. Releases a buffer of more than a
// megabyte once little of it is needed: only the first nodes of a tree are large, and the growing
// tree needs the memory.
template <class T>
void make_room(std::vector<T>& buffer, std::size_t n) {
  constexpr std::size_t kLarge = (std::size_t{1} << 20) / sizeof(T), kPart = 16;
  if (buffer.size() > kLarge && buffer.size() / kPart > n) std::vector<T>().swap(buffer);
  if (buffer.size() < n) buffer.resize(n);
}

}  // namespace aslant
