// The exact best threshold on a line whose rows are distributed, from sums and few rows.
//
// Each part counts its rows into bins along the line, and the counts are added. The criteria are
// convex in the statistics of child 0, so the corners of a bin's box bound everything inside it
// (see bins.hpp): only rows of bins that may hold the best threshold are examined. Criteria without
// a bound examine the bins on both sides of the best edge.
//
// Sums have twofold precision, so they do not depend on how rows are distributed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "criteria/child_limits.hpp"
#include "criteria/registry.hpp"
#include "line/line_search.hpp"
#include "node/node_target.hpp"
#include "support/mean.hpp"

namespace aslant {

// The target of rows on a line. Regression targets are centered at `centre`, near their mean.
struct LineTarget {
  int n_classes = 0;  // 0: regression
  std::vector<double> centre;

  int n_outputs() const { return static_cast<int>(centre.size()); }
  // Sums of a bin: class weights; or the weight and, per output, the sums above and below the
  // center.
  int n_sums() const { return n_classes > 0 ? n_classes : 1 + 2 * n_outputs(); }
};

// The center of regression targets, from their statistics and range.
double centre_of(double mean, double low, double high);

// A row on the line.
struct LineRow {
  double at;
  std::uint64_t number;  // among all rows
  std::int32_t label = 0;
  double weight = 1.0;
  const double* numbers = nullptr;
};

// Edges of about `n_bins` bins with equal numbers of these sampled places.
std::vector<double> edges_between(std::vector<double> places, std::size_t n_bins);

class LineBins {
 public:
  // `exact`: positions are values of one feature, not rounded projections, so any two distinct ones
  // can be separated.
  LineBins(LineTarget target, std::vector<double> edges, bool exact);

  std::size_t size() const { return edges_.size() + 1; }
  const LineTarget& target() const { return target_; }
  std::size_t bin_of(double place) const;
  void add(const LineRow& row);
  void add(const LineBins& other);

  // Everything but target and edges, serialized.
  std::vector<double> numbers() const;
  void add_numbers(const double* numbers, std::size_t n);

  // Bins that may hold the best threshold. Those with a single place need no rows.
  std::vector<char> candidates(CriterionKind criterion, const ChildLimits& limits) const;
  bool needs_rows(std::size_t bin) const { return low_[bin] < high_[bin]; }

  // Approximate number of rows up to this place: those of the bins that begin before it.
  std::int64_t rows_up_to(double place) const;

  // The best threshold, given the rows of the candidates that need them.
  std::optional<LineOptimum> best(CriterionKind criterion, const ChildLimits& limits,
                                  const std::vector<char>& candidates,
                                  std::vector<LineRow> rows) const;

 private:
  struct Box;
  double tolerance() const;
  void index_edges();
  std::size_t cell_of(double place) const;
  Box boxes() const;

  LineTarget target_;
  bool exact_;
  std::vector<double> edges_;  // bin b ends with edge b
  // A grid over the edges: the first edge in each cell, to shorten the search.
  std::vector<std::uint32_t> first_edge_;
  double cells_per_unit_ = 0.0;
  std::vector<std::int64_t> rows_;
  std::vector<double> low_, high_;  // places of its first and its last row
  std::vector<AccurateSum> sums_;   // by bin, then by sum
};

}  // namespace aslant
