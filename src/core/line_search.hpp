// The exact line search: the move of which nearly every oblique search is made.
//
// A hyperplane travels along a direction in coefficient space. Row j sits at V_j + alpha R_j and is
// in child 0 while that is <= 0, so it changes side exactly once, at alpha = -V_j / R_j: out of
// child 0 if R_j > 0, into it if R_j < 0, never if R_j = 0. Sorting these breakpoints and sweeping
// once with running statistics finds the best alpha on the whole line. A threshold on
// projections u is the line V = u, R = -1, whose breakpoints are the projections themselves.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "child_limits.hpp"
#include "criterion.hpp"
#include "span.hpp"
#include "target.hpp"

namespace aslant {

// A place on the line and what the partition there is worth.
struct LineOptimum {
  double alpha;
  double score;
};

// Rows counted by class, as often as each counts.
struct ClassCounts {
  std::vector<std::int64_t> of_class;
  std::int64_t rows = 0;
};

// The only rows that move, ascending, and how; what is known of them stands side by side.
struct MovingRows {
  Span<std::uint32_t> rows;
  const double* R;
  SweepRows target;  // see GatheredRows
};

// What a sweep reads of some rows, one after the other.
struct GatheredRows {
  std::vector<std::int32_t> label;
  std::vector<double> weight;
  std::vector<std::uint32_t> times;

  GatheredRows() = default;
  GatheredRows(const SweepRows& all, const Span<std::uint32_t>& rows);

  // `all` with these rows in the place of its own.
  SweepRows sweep_rows(const SweepRows& all) const;
};

class LineSearch {
 public:
  LineSearch(const SweepRows& rows, CriterionKind kind, const ChildLimits& limits)
      : rows_(rows), kind_(kind), limits_(limits) {}

  static constexpr double kAnyScore = -std::numeric_limits<double>::infinity();

  // Best alpha for rows at V + alpha R. Breakpoints closer than `tolerance` (in the units of V)
  // count as one. A best score below `floor` need not be found. `ignore_sign` treats every moving
  // row as if R_j > 0: the original OC1's shortcut.
  std::optional<LineOptimum> along(const double* V, const double* R, double tolerance,
                                   double floor = kAnyScore, bool ignore_sign = false) const;

  // The same where few rows move and rows can be counted: it costs these rows alone. `child0` is
  // what child 0 holds at alpha = 0.
  std::optional<LineOptimum> along_few(const double* V, const MovingRows& moving,
                                       const ClassCounts& child0, double tolerance,
                                       double floor = kAnyScore) const;
  ClassCounts counts_of_child0(const double* V) const;
  // Counts a row that enters, or no longer one that leaves.
  void count(ClassCounts& counts, std::size_t row, bool enters) const;

  // Best threshold on the projections u: child 0 holds the rows with u <= threshold. A best score
  // below `floor` need not be found.
  std::optional<LineOptimum> threshold(const double* u, double tolerance,
                                       double floor = kAnyScore) const;

 private:
  SweepRows rows_;
  CriterionKind kind_;
  ChildLimits limits_;
};

}  // namespace aslant
