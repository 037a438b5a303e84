// The best threshold on a line whose rows lie in several places: exact, from sums and few rows.
//
// The rows of each place are counted into bins along the line and the counts are added. The
// criteria are convex functions of what child 0 holds, so the corners of what a bin may contribute
// bound everything inside it (see bins.hpp): only the rows of bins that can hold the best threshold
// are then looked at one by one. Of criteria without a bound the bins on both sides of the best
// edge are looked at.
//
// Sums are in twofold precision, so they do not depend on where the rows lie.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "child_limits.hpp"
#include "criterion.hpp"
#include "line_search.hpp"
#include "mean.hpp"
#include "node_target.hpp"

namespace aslant {

// What the rows on a line are to predict. Numbers are counted from `centre`, near their mean.
struct LineTarget {
  int n_classes = 0;  // 0: numbers
  std::vector<double> centre;

  int n_outputs() const { return static_cast<int>(centre.size()); }
  // Sums of a bin: the weights of the classes; or the weight and, for each number, the sums of what
  // is above the centre and of what is below.
  int n_sums() const { return n_classes > 0 ? n_classes : 1 + 2 * n_outputs(); }
};

// The centre of numbers, from their statistics and their range.
double centre_of(double mean, double low, double high);

// A row on the line.
struct LineRow {
  double at;
  std::uint64_t number;  // among all rows
  std::int32_t label = 0;
  double weight = 1.0;
  const double* numbers = nullptr;
};

// Edges between about `n_bins` bins of as many rows of a sample each, whose places these are.
std::vector<double> edges_between(std::vector<double> places, std::size_t n_bins);

class LineBins {
 public:
  LineBins(LineTarget target, std::vector<double> edges);

  std::size_t size() const { return edges_.size() + 1; }
  std::size_t bin_of(double place) const;
  void add(const LineRow& row);
  void add(const LineBins& other);

  // Everything but target and edges as plain numbers.
  std::vector<double> numbers() const;
  void add_numbers(const double* numbers, std::size_t n);

  // Which bins may hold the best threshold. Those with one place only need no rows.
  std::vector<char> candidates(CriterionKind criterion, const ChildLimits& limits) const;
  bool needs_rows(std::size_t bin) const { return low_[bin] < high_[bin]; }

  // About as many rows as have places up to this one: those of the bins that begin before it.
  std::int64_t rows_up_to(double place) const;

  // The best threshold, given the rows of those candidates that need them.
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
  std::vector<double> edges_;  // bin b ends with edge b
  // Equal cells along the edges: the first edge that may be in each, which shortens the search.
  std::vector<std::uint32_t> first_edge_;
  double cells_per_unit_ = 0.0;
  std::vector<std::int64_t> rows_;
  std::vector<double> low_, high_;  // places of its first and its last row
  std::vector<AccurateSum> sums_;   // by bin, then by sum
};

}  // namespace aslant
