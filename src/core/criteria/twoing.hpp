// Twoing: (n0/n)(n1/n) (sum_k |p_k|0 - p_k|1|)^2.
//
// Breiman et al. (1984), section 4.3, without their constant factor 1/4. Murthy, Kasif and Salzberg
// (1994) minimize its reciprocal, which ranks splits equally but divides by a vanishing value.
#pragma once

#include <cmath>

#include "criteria/bin_scores.hpp"
#include "criteria/class_criterion.hpp"

namespace aslant {

class Twoing : public ClassCriterion {
 public:
  static constexpr const char* kName = "twoing";
  static constexpr bool kConvex = true;
  static constexpr double kLeastScore = 1e-25;  // a square: rounding leaves about 1e-32

  using ClassCriterion::ClassCriterion;
  double score() const {
    if (n_classes_ == 2) return 4.0 * squared_distance() / (n0_ * (n_ - n0_));
    const double distance = sum_of_distances() / n_;
    return distance * distance / (n0_ * (n_ - n0_));
  }
  // Twoing is undefined for a single node; with two classes it decreases the Gini impurity.
  static double impurity(const double* total, int n_classes) {
    return gini_impurity(total, n_classes);
  }

  static constexpr bool kComparesFast = true;
  bool compares_fast() const { return n_classes_ == 2 || counts_; }
  bool beats(double known) const {
    const double product = n0_ * (n_ - n0_);
    if (n_classes_ == 2) return 4.0 * squared_distance() > known * product;
    if (!counts_) return score() > known;
    const double distance = sum_of_distances();
    return distance * distance > kJustLess * known * (n_ * n_) * product;
  }

  static constexpr bool kUsesCounts = true;
  void use_counts() { counts_ = true; }

  static constexpr bool kBoundsBins = true;
  void score_bins(const BinLayout& bins, const double* in0, double* scratch, double* score) const {
    score_class_bins(bins, {n_classes_, total_, Distances::absolute}, in0, scratch, score);
  }
  void mark_bins(const BinLayout& bins, const double* low, const double* high, double wanted,
                 double* scratch, unsigned char* may_win) const {
    mark_class_bins(bins, {n_classes_, total_, Distances::absolute}, low, high, wanted, scratch,
                    may_win);
  }

 private:
  double distance(int k) const { return std::abs(n_ * child0_[k] - total_[k] * n0_); }
  // Integer sums are exact in any order: two accumulators halve the time.
  double sum_of_distances() const {
    double sum = 0.0, odd = 0.0;
    int k = 0;
    for (; counts_ && k + 1 < n_classes_; k += 2) {
      sum += distance(k);
      odd += distance(k + 1);
    }
    for (; k < n_classes_; ++k) sum += distance(k);
    return sum + odd;
  }

  bool counts_ = false;
};

}  // namespace aslant
