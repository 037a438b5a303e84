// The exact line search: the move of which nearly every oblique search is made.
//
// A hyperplane travels along a direction in coefficient space. Row j sits at V_j + alpha R_j and is
// in child 0 while that is <= 0, so it changes side exactly once, at alpha = -V_j / R_j: out of
// child 0 if R_j > 0, into it if R_j < 0, never if R_j = 0. Sorting these breakpoints and sweeping
// once with running class weights finds the best alpha on the whole line. A threshold on
// projections u is the line V = u, R = -1, whose breakpoints are the projections themselves.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "criterion.hpp"

namespace aslant {

// A place on the line and what the partition there is worth.
struct LineOptimum {
  double alpha;
  double score;
};

// What a child must hold for a split to be allowed.
struct ChildLimits {
  std::int64_t rows = 1;
  double weight = 0.0;
};

// The rows a sweep runs over: labelled with classes, or with numbers when the criterion is
// squared_error (then `label` is all zeros, one "class"). `weight` is null when every row weighs 1.
struct LabelledRows {
  std::size_t n;
  const std::int32_t* label;
  const double* weight;
  const double* class_weight;  // per class, summed over the rows
  int n_classes;
  const double* target = nullptr;

  double weight_of(std::uint32_t row) const { return weight ? weight[row] : 1.0; }
};

class LineSearch {
 public:
  LineSearch(const LabelledRows& rows, CriterionKind kind, const ChildLimits& limits)
      : rows_(rows), kind_(kind), limits_(limits) {}

  static constexpr double kAnyScore = -std::numeric_limits<double>::infinity();

  // Best alpha for rows at V + alpha R. Breakpoints closer than `tolerance` (in the units of V)
  // count as one. A best score below `floor` need not be found. `ignore_sign` treats every moving
  // row as if R_j > 0: the original OC1's shortcut.
  std::optional<LineOptimum> along(const double* V, const double* R, double tolerance,
                                   double floor = kAnyScore, bool ignore_sign = false) const;

  // Best threshold on the projections u: child 0 holds the rows with u <= threshold. A best score
  // below `floor` need not be found.
  std::optional<LineOptimum> threshold(const double* u, double tolerance,
                                       double floor = kAnyScore) const;

 private:
  LabelledRows rows_;
  CriterionKind kind_;
  ChildLimits limits_;
};

}  // namespace aslant
