// Counting rows by a small integer key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/workspace.hpp"

namespace aslant {

// Adds to counts[k] the number of rows with place_of(row) = k. Neighboring rows use separate
// tables: repeated writes to one counter would stall.
template <class PlaceOf>
void count_by(std::size_t n, std::size_t n_places, double* counts, const PlaceOf& place_of) {
  constexpr std::size_t kTables = 4;
  if (n < 2 * n_places) {
    for (std::size_t i = 0; i < n; ++i) counts[place_of(i)] += 1.0;
    return;
  }
  struct Buffers {
    std::vector<std::uint32_t> counts;
  };
  std::vector<std::uint32_t>& kept = Workspace::get<Buffers>().counts;
  kept.assign(kTables * n_places, 0);
  std::uint32_t* tables = kept.data();
  std::size_t i = 0;
  for (; i + kTables <= n; i += kTables)
    for (std::size_t t = 0; t < kTables; ++t) ++tables[t * n_places + place_of(i + t)];
  for (; i < n; ++i) ++tables[place_of(i)];
  for (std::size_t k = 0; k < n_places; ++k)
    for (std::size_t t = 0; t < kTables; ++t) counts[k] += tables[t * n_places + k];
}

}  // namespace aslant
