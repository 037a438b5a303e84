// Growing many trees on one dataset.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "growth/grow.hpp"

namespace aslant {

// The sample of rows of each tree.
struct Bootstrap {
  std::int64_t n_drawn = 0;  // with replacement; 0: all rows, each once
  bool balanced = false;     // equal total weight of all classes in each sample
};

// The bootstrap sample of a tree with this seed from n rows, in drawing order.
std::vector<std::uint32_t> drawn_rows(std::uint64_t seed, std::int64_t n_rows,
                                      std::int64_t n_drawn);

// One tree per seed, independent of the others and of the number of threads.
// `look_outside(trees_done)` is called periodically from the calling thread.
std::vector<GrownTree> grow_forest(const Problem& problem, const Bootstrap& bootstrap,
                                   const Search& search, const StoppingRules& stopping,
                                   const std::vector<std::uint64_t>& seeds, int n_threads,
                                   std::function<void(std::int64_t)> look_outside);

}  // namespace aslant
