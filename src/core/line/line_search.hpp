// The exact line search, the basic move of nearly every oblique search.
//
// A hyperplane moves along a direction in coefficient space. Row j is at V_j + alpha R_j and in
// child 0 while that is <= 0, so it changes side once, at alpha = -V_j / R_j: it leaves child 0 if
// R_j > 0, enters it if R_j < 0, and never moves if R_j = 0. One sweep over the sorted breakpoints
// with running statistics finds the best alpha. A threshold on projections u is the line V = u, R =
// -1, whose breakpoints are the projections.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "criteria/child_limits.hpp"
#include "criteria/registry.hpp"
#include "data/table.hpp"
#include "data/target.hpp"
#include "line/optimum.hpp"
#include "support/rng.hpp"
#include "support/span.hpp"

namespace aslant {

// Rows counted by class, with multiplicity.
struct ClassCounts {
  std::vector<std::int64_t> of_class;
  std::int64_t rows = 0;
};

// The only rows that move, ascending, with R and target gathered contiguously.
struct MovingRows {
  Span<std::uint32_t> rows;
  const double* R;
  SweepRows target;  // see GatheredRows
};

// The targets of some rows, gathered for a sweep.
struct GatheredRows {
  std::vector<std::int32_t> label;
  std::vector<double> weight;
  std::vector<std::uint32_t> times;

  GatheredRows() = default;
  GatheredRows(const SweepRows& all, const Span<std::uint32_t>& rows);

  // `all` restricted to these rows.
  SweepRows sweep_rows(const SweepRows& all) const;
};

class LineSearch {
 public:
  LineSearch(const SweepRows& rows, CriterionKind kind, const ChildLimits& limits)
      : rows_(rows), kind_(kind), limits_(limits) {}

  // The same search with an order of the children: see ChildLimits.
  LineSearch ordered(int order) const {
    LineSearch other = *this;
    other.limits_.order = order;
    return other;
  }

  // Best alpha for rows at V + alpha R. Breakpoints closer than `tolerance` (in units of V) are
  // tied. Scores below `floor` may be missed. `ignore_sign` treats every moving row as if R_j > 0:
  // the original OC1's shortcut.
  std::optional<LineOptimum> along(const double* V, const double* R, double tolerance,
                                   double floor = kAnyScore, bool ignore_sign = false) const;

  // The same for few moving rows that can be counted: costs only these rows. `child0` holds the
  // counts at alpha = 0.
  std::optional<LineOptimum> along_few(const double* V, const MovingRows& moving,
                                       const ClassCounts& child0, double tolerance,
                                       double floor = kAnyScore) const;
  ClassCounts counts_of_child0(const double* V) const;
  // Adds a row that enters, or removes one that leaves.
  void count(ClassCounts& counts, std::size_t row, bool enters) const;

  // Best threshold on the projections u: child 0 holds the rows with u <= threshold. Scores below
  // `floor` may be missed.
  std::optional<LineOptimum> threshold(const double* u, double tolerance,
                                       double floor = kAnyScore) const;

  // The same for a sparse column.
  std::optional<LineOptimum> threshold(const SparseColumn& x, double floor = kAnyScore) const;

  // A random threshold between the lowest and the highest projection.
  std::optional<LineOptimum> random_threshold(const double* u, double tolerance, Rng& rng) const;
  std::optional<LineOptimum> random_threshold(const SparseColumn& x, Rng& rng) const;

 private:
  // The score of a threshold that leaves these rows in child 0.
  std::optional<LineOptimum> scored(double threshold, const std::vector<double>& child0,
                                    std::int64_t rows0) const;

  SweepRows rows_;
  CriterionKind kind_;
  ChildLimits limits_;
};

}  // namespace aslant
