// Decrease of the Gini impurity 1 - sum p_k^2.
//
// L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, 1984,
// section 4.3. Counts update the sums of squares incrementally, which is exact. Other weights
// recompute them per score: updates would cancel for weights of different magnitude, and ties would
// depend on row order.
#pragma once

#include "criteria/bin_scores.hpp"
#include "criteria/class_criterion.hpp"

namespace aslant {

class Gini : public ClassCriterion {
 public:
  static constexpr const char* kName = "gini";
  static constexpr bool kConvex = true;
  static constexpr double kLeastScore = kZeroIsFollowed;

  Gini(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassCriterion(total, n_classes, scratch) {
    for (int k = 0; k < n_classes; ++k) before_ += (total[k] / n_) * (total[k] / n_);
  }
  double score() const {
    if (n_classes_ == 2) return 2.0 * squared_distance() / (n0_ * (n_ - n0_));
    const auto [squares0, squares1] = counts_ ? squares_ : fresh_squares();
    return (squares0 / n0_ + squares1 / (n_ - n0_)) / n_ - before_;
  }
  static double impurity(const double* total, int n_classes) {
    return gini_impurity(total, n_classes);
  }

  static constexpr bool kComparesFast = true;
  bool compares_fast() const { return n_classes_ == 2 || counts_; }
  bool beats(double known) const {
    if (n_classes_ == 2) return 2.0 * squared_distance() > known * (n0_ * (n_ - n0_));
    if (!counts_) return score() > known;
    const double n1 = n_ - n0_;
    return squares_.in0 * n1 + squares_.in1 * n0_ > kJustLess * (known + before_) * n_ * (n0_ * n1);
  }

  static constexpr bool kUsesCounts = true;
  void use_counts() { counts_ = n_classes_ > 2; }
  void set(const double* class_weight0) {
    ClassCriterion::set(class_weight0);
    if (counts_) squares_ = fresh_squares();
  }
  void move(int k, double weight) {
    if (counts_) {
      squares_.in0 += weight * (2.0 * child0_[k] + weight);
      squares_.in1 -= weight * (2.0 * in1(k) - weight);
    }
    ClassCriterion::move(k, weight);
  }

  static constexpr bool kBoundsBins = true;
  void score_bins(const BinLayout& bins, const double* in0, double* scratch, double* score) const {
    score_class_bins(bins, {n_classes_, total_, Distances::squared}, in0, scratch, score);
  }
  void mark_bins(const BinLayout& bins, const double* low, const double* high, double wanted,
                 double* scratch, unsigned char* may_win) const {
    mark_class_bins(bins, {n_classes_, total_, Distances::squared}, low, high, wanted, scratch,
                    may_win);
  }

 private:
  struct Squares {
    double in0, in1;
  };
  Squares fresh_squares() const {
    Squares squares{0.0, 0.0};
    for (int k = 0; k < n_classes_; ++k) {
      squares.in0 += child0_[k] * child0_[k];
      squares.in1 += in1(k) * in1(k);
    }
    return squares;
  }

  double before_ = 0.0;
  bool counts_ = false;
  Squares squares_{0.0, 0.0};
};

}  // namespace aslant
