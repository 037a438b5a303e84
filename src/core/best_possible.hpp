// The score that no split of some rows can exceed: a search that has reached it need look no
// further.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "child_limits.hpp"
#include "criterion.hpp"
#include "target.hpp"

namespace aslant {

// The best cut of the rows in the order of their numbers: W. D. Fisher, On Grouping
// for Maximum Homogeneity, 1958.
inline double score_of_best_grouping(const SweepRows& rows) {
  static thread_local std::vector<std::pair<double, double>> sorted;  // numbers and weights
  static thread_local std::vector<double> scratch;
  sorted.resize(rows.n);
  for (std::size_t i = 0; i < rows.n; ++i) sorted[i] = {rows.number[i], rows.weight_of(i)};
  std::sort(sorted.begin(), sorted.end());
  SquaredError criterion(rows.total, rows.width, scratch);
  double best = 0.0;
  for (std::size_t i = 0; i + 1 < rows.n; ++i) {
    criterion.move(sorted[i].second, &sorted[i].first);
    best = std::max(best, criterion.score());
  }
  return best;
}

// Known of one number in nodes of few rows, which are most of a forest's; else infinity. A hair
// below the exact value, for the same children have sums that differ in their last bits.
inline double best_possible(const SweepRows& rows, CriterionKind kind, const ChildLimits& limits) {
  constexpr std::size_t kFewNumbers = 24;  // of more, a feature rarely has the best cut of all
  constexpr double kJustBelow = 1.0 - 1e-12;
  const bool any_child = limits.rows <= 1 && !(limits.weight > 0.0);
  const bool known =
      any_child && kind == CriterionKind::squared_error && rows.width == 2 && rows.n <= kFewNumbers;
  return known ? kJustBelow * score_of_best_grouping(rows)
               : std::numeric_limits<double>::infinity();
}

}  // namespace aslant
