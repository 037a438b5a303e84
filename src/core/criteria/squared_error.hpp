// Decrease of the mean squared deviation from the children's means, summed over the outputs.
//
// Breiman et al. (1984), chapter 8. Targets are centered near their mean: squares of large targets
// would lose the digits in which they differ.
#pragma once

#include "criteria/bin_scores.hpp"
#include "criteria/regression_criterion.hpp"

namespace aslant {

// One output, the usual case: both sums stay in registers.
class SquaredErrorOfOneOutput : public RegressionCriterion {
 public:
  SquaredErrorOfOneOutput(const double* total, int width, std::vector<double>& scratch)
      : RegressionCriterion(total, width, scratch),
        n_(total[0]),
        sum_(total[1]),
        before_(total[1] * total[1] / total[0]) {}
  void move(double weight, const double* target) {
    n0_ += weight;
    sum0_ += weight * *target;
  }
  void set(const double* in0) {
    n0_ = in0[0];
    sum0_ = in0[1];
  }
  double weight0() const { return n0_; }
  const double* in0() const {
    child0_[0] = n0_;
    child0_[1] = sum0_;
    return child0_;
  }
  bool one_is_empty() const { return !(n0_ > 0.0) || !(n0_ < n_); }
  double score() const {
    const double n1 = n_ - n0_, sum1 = sum_ - sum0_;
    return (sum0_ * sum0_ / n0_ + sum1 * sum1 / n1 - before_) / n_;
  }

  static constexpr bool kConvex = true;
  static constexpr bool kComparesFast = true;
  bool compares_fast() const { return true; }
  bool beats(double known) const {
    const double n1 = n_ - n0_, sum1 = sum_ - sum0_;
    return sum0_ * sum0_ * n1 + sum1 * sum1 * n0_ > (known * n_ + before_) * (n0_ * n1);
  }

  static constexpr bool kBoundsBins = true;
  void score_bins(const BinLayout& bins, const double* in0, double* /*scratch*/,
                  double* score) const {
    score_target_bins(bins, {n_, sum_}, in0, score);
  }
  void mark_bins(const BinLayout& bins, const double* low, const double* high, double wanted,
                 double* /*scratch*/, unsigned char* may_win) const {
    mark_target_bins(bins, {n_, sum_}, low, high, wanted, may_win);
  }

 private:
  double n_, sum_, before_;
  double n0_ = 0.0, sum0_ = 0.0;
};

class SquaredError : public RegressionCriterion {
 public:
  static constexpr const char* kName = "squared_error";
  static constexpr bool kConvex = true;
  static constexpr double kLeastScore = kZeroIsFollowed;
  static constexpr bool kCentersTargets = true;
  static constexpr bool kOneOutput = false;
  static constexpr bool kNonNegativeTargets = false;
  using OfOneOutput = SquaredErrorOfOneOutput;

  SquaredError(const double* total, int width, std::vector<double>& scratch)
      : RegressionCriterion(total, width, scratch) {
    for (int q = 1; q < width; ++q) before_ += total[q] * total[q] / total[0];
  }
  double score() const {
    const double n0 = child0_[0], n1 = total_[0] - n0;
    double after = 0.0;
    for (int q = 1; q < width_; ++q) {
      const double sum0 = child0_[q], sum1 = total_[q] - sum0;
      after += sum0 * sum0 / n0 + sum1 * sum1 / n1;
    }
    return (after - before_) / total_[0];
  }
  static double loss(double y, double mean) { return (y - mean) * (y - mean); }
  static double multiway_score(const ChildStatistics& children, const std::vector<double>& total) {
    double after = 0.0;
    for (const std::vector<double>& child : children) after += explained(child);
    return (after - explained(total)) / total[0];
  }

 private:
  static double explained(const std::vector<double>& statistics) {
    double sum = 0.0;
    for (std::size_t q = 1; q < statistics.size(); ++q)
      sum += statistics[q] * statistics[q] / statistics[0];
    return sum;
  }

  double before_ = 0.0;
};

}  // namespace aslant
