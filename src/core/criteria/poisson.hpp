// Decrease of the mean half Poisson deviance: sum * log(mean) of both children minus that of the
// node, per unit of weight.
//
// T. M. Therneau and E. J. Atkinson, An Introduction to Recursive Partitioning Using the RPART
// Routines, 1997. A child of zero targets only has no likelihood: rpart shrinks its rate, we reject
// the split, as scikit-learn does.
#pragma once

#include <cmath>

#include "criteria/regression_criterion.hpp"

namespace aslant {

class Poisson : public RegressionCriterion {
 public:
  static constexpr const char* kName = "poisson";
  static constexpr bool kConvex = true;
  static constexpr double kLeastScore = kZeroIsFollowed;
  static constexpr bool kCentersTargets = false;
  static constexpr bool kOneOutput = true;
  static constexpr bool kNonNegativeTargets = true;

  Poisson(const double* total, int width, std::vector<double>& scratch)
      : RegressionCriterion(total, width, scratch), before_(part(total[1], total[0])) {}
  double score() const {
    if (!(child0_[1] > 0.0) || !(total_[1] - child0_[1] > 0.0))
      return -std::numeric_limits<double>::infinity();
    return limit();
  }
  static constexpr bool kHasLimit = true;
  double limit() const {
    return (part(child0_[1], child0_[0]) + part(total_[1] - child0_[1], total_[0] - child0_[0]) -
            before_) /
           total_[0];
  }
  static double loss(double y, double mean) {
    return y > 0.0 ? y * std::log(y / mean) - (y - mean) : mean;
  }
  static double multiway_score(const ChildStatistics& children, const std::vector<double>& total) {
    double after = 0.0;
    for (const std::vector<double>& child : children) {
      if (!(child[1] > 0.0)) return 0.0;
      after += part(child[1], child[0]);
    }
    return (after - part(total[1], total[0])) / total[0];
  }

 private:
  static double part(double sum, double n) { return sum > 0.0 ? sum * std::log(sum / n) : 0.0; }
  double before_;
};

}  // namespace aslant
