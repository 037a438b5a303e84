// Facts of all rows of a node, as sums that add up over parts of the rows.
//
// The rows of a node may be distributed: each part sums up its own, the sums are added, and a Node
// of some rows (a sample, the rows of one part) is made with the fills, units and statistics of
// all.
#pragma once

#include <cstdint>
#include <vector>

#include "data/problem.hpp"
#include "support/mean.hpp"

namespace aslant {

// Facts of one feature's present values.
struct FeatureFacts {
  double present = 0.0;  // their weight
  double largest = 0.0;  // of their absolute values
};

class NodeFacts {
 public:
  explicit NodeFacts(const Problem& problem);
  // From numbers(); throws std::invalid_argument if their count is wrong.
  NodeFacts(const Problem& problem, const double* numbers, std::size_t n);

  void add(std::uint32_t row);
  void add(const NodeFacts& other);

  std::int64_t rows() const { return rows_; }
  std::vector<double> statistics() const;
  FeatureFacts of_feature(int feature) const;
  // Mean of the present values of a column, or proportion of a level; in units of 2^exponent.
  double mean(int column, int exponent) const;
  double low(int output) const { return low_[output]; }
  double high(int output) const { return high_[output]; }

  bool is_pure() const;

  // Everything serialized, to be kept or sent.
  std::vector<double> numbers() const;
  std::size_t size() const;

 private:
  int scale(int feature) const;

  const Problem& problem_;
  std::int64_t rows_ = 0;
  std::vector<AccurateSum> statistics_;
  std::vector<AccurateSum> column_;   // weighted values; of a level, the weights
  std::vector<AccurateSum> present_;  // weights, by feature
  std::vector<double> largest_;       // by feature
  std::vector<double> low_, high_;    // of the regression targets
};

}  // namespace aslant
