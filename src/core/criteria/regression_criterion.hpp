// The statistics shared by all regression criteria: weight and sum of targets per output, of the
// node and of child 0.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "criteria/traits.hpp"

namespace aslant {

class RegressionCriterion {
 public:
  static constexpr Task kTask = Task::regression;

  RegressionCriterion(const double* total, int width, std::vector<double>& scratch)
      : total_(total), width_(width) {
    scratch.assign(width, 0.0);
    child0_ = scratch.data();
  }
  // A row enters child 0; with a negative weight it leaves.
  void move(double weight, const double* targets) {
    child0_[0] += weight;
    for (int q = 1; q < width_; ++q) child0_[q] += weight * targets[q - 1];
  }
  // Child 0 now holds these statistics.
  void set(const double* in0) { std::copy(in0, in0 + width_, child0_); }
  double weight0() const { return child0_[0]; }
  const double* in0() const { return child0_; }  // the statistics of child 0
  bool one_is_empty() const { return !(child0_[0] > 0.0) || !(child0_[0] < total_[0]); }

  // Defaults of the optional members: see traits.hpp.
  static constexpr bool kBoundsBins = false;
  static constexpr bool kComparesFast = false;
  static constexpr bool kUsesCounts = false;
  static constexpr bool kHasLimit = false;
  // An empty child with a nonzero sum has no finite score, so the box is unbounded.
  static constexpr double kBoundOfEmptyChild = std::numeric_limits<double>::infinity();
  // Further members of a regression criterion:
  //   kCentersTargets      whether targets are centered near their mean
  //   kOneOutput, kNonNegativeTargets   requirements on the targets
  //   loss(y, mean)        impurity of a node, row by row

 protected:
  const double* total_;
  int width_;
  double* child0_;
};

}  // namespace aslant
