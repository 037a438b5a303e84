// Sums and means that depend neither on the order of values nor on whether copies are weighted or
// repeated. Error-correcting learners would amplify a difference in the last bit until it changes
// the side of a row.
#pragma once

#include <cmath>
#include <cstddef>

namespace aslant {

// A sum of products in twofold precision (T. Ogita, S. M. Rump and S. Oishi, Accurate sum and dot
// product, 2005): also sums the rounding errors. The values must be far from overflow.
class AccurateSum {
 public:
  void add(double value, double weight) {
    const double product = value * weight;
    if (weight != 1.0) lost_ += std::fma(value, weight, -product);
    const double sum = sum_ + product, added = sum - sum_;
    lost_ += (sum_ - (sum - added)) + (product - added);
    sum_ = sum;
  }
  // Adds another sum.
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

// A running weighted mean.
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

// Mean of n values, as by AccurateSum but vectorized; null `weight`: all 1.
double mean_of(const double* x, const double* weight, std::size_t n);

// Mean of (x - centre)^2.
double mean_square_about(double centre, const double* x, const double* weight, std::size_t n);

// Mean and standard deviation.
struct Spread {
  double mean = 0.0, deviation = 0.0;
};

}  // namespace aslant
