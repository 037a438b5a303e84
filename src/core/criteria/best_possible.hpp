// An upper bound on the score of any split of some rows: a search that reaches it stops.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "criteria/child_limits.hpp"
#include "criteria/registry.hpp"
#include "data/target.hpp"
#include "support/workspace.hpp"

namespace aslant {

// The best cut of the rows in target order: W. D. Fisher, On Grouping for Maximum Homogeneity,
// 1958.
inline double score_of_best_grouping(const SweepRows& rows) {
  struct Buffers {
    std::vector<std::pair<double, double>> sorted;  // targets and weights
    std::vector<double> child0;
  };
  auto& [sorted, scratch] = Workspace::get<Buffers>();
  sorted.resize(rows.n);
  for (std::size_t i = 0; i < rows.n; ++i) sorted[i] = {rows.target[i], rows.weight_of(i)};
  std::sort(sorted.begin(), sorted.end());
  SquaredError criterion(rows.total, rows.width, scratch);
  double best = 0.0;
  for (std::size_t i = 0; i + 1 < rows.n; ++i) {
    criterion.move(sorted[i].second, &sorted[i].first);
    best = std::max(best, criterion.score());
  }
  return best;
}

// Computed for one regression target in small nodes, which are most of a forest's; else infinity.
// Slightly below the exact value, because sums over the same children may differ in the last bits.
inline double best_possible(const SweepRows& rows, CriterionKind kind, const ChildLimits& limits) {
  constexpr std::size_t kFewTargets = 24;  // a feature rarely attains the best cut of more
  constexpr double kJustBelow = 1.0 - 1e-12;
  const bool any_child = limits.rows <= 1 && !(limits.weight > 0.0);
  const bool known =
      any_child && kind.is<SquaredError>() && rows.width == 2 && rows.n <= kFewTargets;
  return known ? kJustBelow * score_of_best_grouping(rows)
               : std::numeric_limits<double>::infinity();
}

}  // namespace aslant
