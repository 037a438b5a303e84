// The growth loop: the one place where a tree is grown, and where every stopping rule lives.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "node.hpp"
#include "search.hpp"
#include "tree.hpp"

namespace aslant {

struct StoppingRules {
  int max_depth = std::numeric_limits<int>::max();
  std::int64_t min_samples_split = 2;
  double min_impurity_decrease = 0.0;
  std::int64_t max_leaf_nodes = 0;  // 0: no limit, depth-first; else best-first
};

struct Growth {
  Tree tree;
  std::vector<double> value;  // n_nodes x n_classes, weighted class counts
  std::vector<std::int64_t> n_node_samples;
  std::vector<double> impurity;
  std::int64_t hyperplanes = 0;
};

// `look_outside(rows_done)` is called now and then from the calling thread.
Growth grow(std::shared_ptr<const Problem> problem, const Search& search,
            const StoppingRules& rules, std::uint64_t seed, int n_threads,
            std::function<void(std::int64_t)> look_outside);

}  // namespace aslant
