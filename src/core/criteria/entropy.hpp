// Decrease of the entropy -sum p_k log2 p_k: the information gain, in bits.
//
// J. R. Quinlan, Induction of Decision Trees, 1986.
#pragma once

#include <cmath>
#include <cstdint>

#include "criteria/bin_scores.hpp"
#include "criteria/class_criterion.hpp"

namespace aslant {

// z log2 z, tabulated for small integers: unweighted class counts.
class ZLogZ {
 public:
  ZLogZ() : values_(kSize, 0.0) {
    for (std::size_t i = 2; i < kSize; ++i)
      values_[i] = static_cast<double>(i) * std::log2(static_cast<double>(i));
  }
  double operator()(double z) const {
    if (z >= 0.0 && z < static_cast<double>(kSize)) {
      const auto whole = static_cast<std::int32_t>(z);
      if (static_cast<double>(whole) == z) return values_[whole];
    }
    return z > 0.0 ? z * std::log2(z) : 0.0;  // rounding may leave a tiny negative weight
  }

 private:
  static constexpr std::size_t kSize = 1 << 16;
  std::vector<double> values_;
};
inline const ZLogZ z_log_z;

class Entropy : public ClassCriterion {
 public:
  static constexpr const char* kName = "entropy";
  static constexpr bool kConvex = true;
  static constexpr double kLeastScore = kZeroIsFollowed;

  Entropy(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassCriterion(total, n_classes, scratch), before_(z_log_z(n_)) {
    for (int k = 0; k < n_classes; ++k) before_ -= z_log_z(total[k]);
  }
  double score() const {
    double after = z_log_z(n0_) + z_log_z(n_ - n0_);
    for (int k = 0; k < n_classes_; ++k) after -= z_log_z(child0_[k]) + z_log_z(in1(k));
    return (before_ - after) / n_;
  }
  static double impurity(const double* total, int n_classes) {
    const double n = std::accumulate(total, total + n_classes, 0.0);
    double sum = 0.0;
    for (int k = 0; k < n_classes; ++k) sum += z_log_z(total[k]);
    return std::max(0.0, (z_log_z(n) - sum) / n);
  }

  static constexpr bool kBoundsBins = true;
  void score_bins(const BinLayout& bins, const double* in0, double* scratch, double* score) const {
    score_entropy_bins(bins, n_classes_, total_, in0, scratch, score);
  }
  void mark_bins(const BinLayout& bins, const double* low, const double* high, double wanted,
                 double* scratch, unsigned char* may_win) const {
    mark_entropy_bins(bins, n_classes_, total_, low, high, wanted, scratch, may_win);
  }

 private:
  double before_;
};

}  // namespace aslant
