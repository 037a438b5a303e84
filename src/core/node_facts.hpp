// What all rows of a node tell of it, as sums that add up over parts of the rows.
//
// The rows of a node may lie in several places: each place sums up its own, the sums are added, and
// a Node of only some of the rows (a sample, the rows of one place) is made as if all were there:
// with the fills of missing values, the units and the statistics of all.
#pragma once

#include <cstdint>
#include <vector>

#include "mean.hpp"
#include "problem.hpp"

namespace aslant {

// Facts of one feature's present values.
struct FeatureFacts {
  double present = 0.0;  // their weight
  double largest = 0.0;  // of their absolute values
};

class NodeFacts {
 public:
  explicit NodeFacts(const Data& data);
  // From numbers(); throws std::invalid_argument unless there are as many as there should be.
  NodeFacts(const Data& data, const double* numbers, std::size_t n);

  void add(const Problem& problem, std::uint32_t row);
  void add(const NodeFacts& other);

  std::int64_t rows() const { return rows_; }
  std::vector<double> statistics() const;
  FeatureFacts of_feature(int feature) const;
  // Mean of the present values of a column, or the share of a level among them; in units of
  // 2^exponent.
  double mean(int column, int exponent) const;
  double low(int output) const { return low_[output]; }
  double high(int output) const { return high_[output]; }

  // Whether nothing is left to predict.
  bool is_pure() const;

  // Everything as plain numbers, to be kept or sent.
  std::vector<double> numbers() const;
  std::size_t size() const;

 private:
  int scale(int feature) const;

  const Data& data_;
  std::int64_t rows_ = 0;
  std::vector<AccurateSum> statistics_;
  std::vector<AccurateSum> column_;   // values times weights; of a level, the weights
  std::vector<AccurateSum> present_;  // weights, by feature
  std::vector<double> largest_;       // by feature
  std::vector<double> low_, high_;    // of the numbers to predict
};

}  // namespace aslant
