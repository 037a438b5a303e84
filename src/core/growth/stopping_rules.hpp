// The stopping rules of growth.
#pragma once

#include <cstdint>
#include <limits>

#include "criteria/child_limits.hpp"
#include "criteria/registry.hpp"

namespace aslant {

struct StoppingRules {
  int max_depth = std::numeric_limits<int>::max();
  std::int64_t min_samples_split = 2;
  double min_impurity_decrease = 0.0;
  std::int64_t max_leaf_nodes = 0;  // 0: no limit, depth-first; else best-first

  // Whether the rules allow a split of a node of this depth, rows and weight.
  bool allow_split(const ChildLimits& limits, int depth, std::int64_t rows, double weight) const;

  // Whether to accept a split of this score. `share` is the node's fraction of the total weight;
  // `decides` says that the search has accepted the split itself.
  bool accept(CriterionKind criterion, double score, double share, bool decides) const;
};

}  // namespace aslant
