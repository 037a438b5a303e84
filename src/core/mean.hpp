// Sums and means that do not depend on the order of the values, nor on whether copies of a value
// are weighted or repeated. Learners that correct error after error amplify a difference in the
// last bit of their input until it decides which way a row goes.
#pragma once

#include <cmath>
#include <cstddef>

namespace aslant {

// A sum of products in twofold precision (T. Ogita, S. M. Rump and S. Oishi, Accurate sum and dot
// product, 2005): what rounding loses is summed as well. The values must be far from overflow.
class AccurateSum {
 public:
  void add(double value, double weight) {
    const double product = value * weight;
    if (weight != 1.0) lost_ += std::fma(value, weight, -product);
    const double sum = sum_ + product, added = sum - sum_;
    lost_ += (sum_ - (sum - added)) + (product - added);
    sum_ = sum;
  }
  // What another sum holds.
  void add_sum(double sum, double lost) {
    add(sum, 1.0);
    lost_ += lost;
  }
  double sum() const { return sum_; }
  double lost() const { return lost_; }
  double value() const { return sum_ + lost_; }
  // Correctly rounded but for a few cases in a billion: the mean of equal values is that value.
  double over(double divisor) const {
    const double quotient = sum_ / divisor;
    return quotient + (std::fma(-quotient, divisor, sum_) + lost_) / divisor;
  }

 private:
  double sum_ = 0.0, lost_ = 0.0;
};

// A weighted mean that grows value by value.
class WeightedMean {
 public:
  void add(double value, double weight) {
    weight_.add(weight, 1.0);
    sum_.add(value, weight);
  }
  double weight() const { return weight_.value(); }
  double mean() const { return weight() == 0.0 ? 0.0 : sum_.over(weight()); }

 private:
  AccurateSum sum_, weight_;
};

// Mean of n values; `weight` may be null, for values that weigh 1. What AccurateSum gives, several
// at a time.
double mean_of(const double* x, const double* weight, std::size_t n);

// Mean of (x - centre)^2.
double mean_square_about(double centre, const double* x, const double* weight, std::size_t n);

// Mean and standard deviation.
struct Spread {
  double mean = 0.0, deviation = 0.0;
};

}  // namespace aslant
