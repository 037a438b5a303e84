// What a split of a boosting node gains, and the value of a node.
#pragma once

#include <algorithm>
#include <limits>

#include "boosting/histogram.hpp"

namespace aslant {

// Values that monotonic constraints allow a node.
struct ValueBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// Limits and penalty that all splits of a fit share.
struct SplitRules {
  double l2 = 0.0;
  double min_rows = 1.0;  // of a child
  static constexpr double kLeastHessian = 1e-3;

  bool allows(const GradientSums& child) const {
    return child.n_rows >= min_rows && child.hessian >= kLeastHessian;
  }

  // The Newton step of a node, within its bounds.
  double value(const GradientSums& node, const ValueBounds& bounds) const {
    constexpr double kNoDivisionByZero = 1e-15;
    const double step = -node.gradient / (node.hessian + l2 + kNoDivisionByZero);
    return std::min(std::max(step, bounds.low), bounds.high);
  }
};

// A node whose splits are compared.
struct SplitNode {
  GradientSums sums;
  double value = 0.0;
  ValueBounds bounds;  // of its children
};

// The best gain so far among the splits of a node: the decrease of the second-order loss.
class BestGain {
 public:
  BestGain(const SplitRules& rules, const SplitNode& node, int monotonic, double gain = 0.0)
      : rules_(rules),
        node_(node),
        monotonic_(monotonic),
        bounded_(node.bounds.low > -kInfinity || node.bounds.high < kInfinity),
        loss_(node.sums.gradient * node.value) {
    set(gain);
  }

  double gain() const { return gain_; }

  // Whether a split gains more; then its gain is kept. One whose values are not in the order of the
  // monotonic constraint gains nothing.
  bool improved_by(const GradientSums& left, const GradientSums& right) {
    // Without divisions: most splits are not better.
    const double h = left.hessian + rules_.l2, k = right.hessian + rules_.l2;
    if (!bounded_ &&
        left.gradient * left.gradient * k + right.gradient * right.gradient * h < least_ * h * k)
      return false;
    const double value_left = rules_.value(left, node_.bounds);
    const double value_right = rules_.value(right, node_.bounds);
    if ((monotonic_ > 0 && value_left > value_right) ||
        (monotonic_ < 0 && value_left < value_right))
      return false;
    const double gain = loss_ - left.gradient * value_left - right.gradient * value_right;
    if (!(gain > gain_)) return false;
    set(gain);
    return true;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kRounding = 1e-12;

  void set(double gain) {
    gain_ = gain;
    least_ = (gain - loss_) * (1.0 - kRounding);
  }

  const SplitRules& rules_;
  const SplitNode& node_;
  int monotonic_;
  bool bounded_;
  double loss_, gain_ = 0.0, least_ = 0.0;
};

}  // namespace aslant
