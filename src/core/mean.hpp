// Sums and means that do not depend on the order of the values, nor on whether copies of a value
// are weighted or repeated. Learners that correct error after error amplify a difference in the
// last bit of their input until it decides which way a row goes.
#pragma once

#include <cmath>

namespace aslant {

// A sum of products in twofold precision (T. Ogita, S. M. Rump and S. Oishi, Accurate sum and dot
// product, 2005): what rounding loses is summed as well.
class AccurateSum {
 public:
  void add(double value, double weight) {
    const double product = value * weight;
    if (weight != 1.0) lost_ += std::fma(value, weight, -product);
    const double sum = sum_ + product, added = sum - sum_;
    lost_ += (sum_ - (sum - added)) + (product - added);
    sum_ = sum;
  }
  // Correctly rounded but for a few cases in a billion: the mean of equal values is that value.
  double over(double divisor) const {
    const double quotient = sum_ / divisor;
    return quotient + (std::fma(-quotient, divisor, sum_) + lost_) / divisor;
  }

 private:
  double sum_ = 0.0, lost_ = 0.0;
};

// A weighted mean that grows value by value; also of values whose sum overflows.
class RunningMean {
 public:
  void add(double value, double weight) {
    weight_ += weight;
    running_ += (value - running_) * (weight / weight_);
    sum_.add(value, weight);
  }
  double weight() const { return weight_; }
  double mean() const {
    if (weight_ == 0.0) return 0.0;
    const double accurate = sum_.over(weight_);
    return std::isfinite(accurate) ? accurate : running_;
  }

 private:
  AccurateSum sum_;
  double running_ = 0.0, weight_ = 0.0;
};

}  // namespace aslant
