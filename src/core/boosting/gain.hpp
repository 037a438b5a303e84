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

// The decrease of the second-order loss, -1 if the values are not in the order of `monotonic`.
inline double gain_of(const SplitRules& rules, const SplitNode& node, const GradientSums& left,
                      const GradientSums& right, int monotonic) {
  const double value_left = rules.value(left, node.bounds);
  const double value_right = rules.value(right, node.bounds);
  if ((monotonic > 0 && value_left > value_right) || (monotonic < 0 && value_left < value_right))
    return -1.0;
  return node.sums.gradient * node.value - left.gradient * value_left -
         right.gradient * value_right;
}

}  // namespace aslant
