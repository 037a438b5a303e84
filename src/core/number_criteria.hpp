// The criteria of numbers: see criterion.hpp for what they have in common.
//
// Breiman et al. (1984), chapter 8, for the squared error.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace aslant {

// Statistics of numbers: weight and sums, of the node and of child 0.
class NumberSums {
 public:
  NumberSums(const double* total, int width, std::vector<double>& scratch)
      : total_(total), width_(width) {
    scratch.assign(width, 0.0);
    child0_ = scratch.data();
  }
  void set(const double* in0) { std::copy(in0, in0 + width_, child0_); }
  void move(double weight, const double* number) {
    child0_[0] += weight;
    for (int q = 1; q < width_; ++q) child0_[q] += weight * number[q - 1];
  }
  double weight0() const { return child0_[0]; }
  bool one_is_empty() const { return !(child0_[0] > 0.0) || !(child0_[0] < total_[0]); }
  const double* total() const { return total_; }
  static constexpr bool kBounded = false;
  bool beats_is_cheap() const { return false; }

 protected:
  const double* total_;
  int width_;
  double* child0_;
};

// Decrease of the mean squared deviation, summed over the outputs. The numbers must be counted from
// near their mean, or what differs between them is lost in the squares.
class SquaredError : public NumberSums {
 public:
  SquaredError(const double* total, int width, std::vector<double>& scratch)
      : NumberSums(total, width, scratch) {
    for (int q = 1; q < width; ++q) before_ += total[q] * total[q] / total[0];
  }
  double score() const {
    const double n0 = child0_[0], n1 = total_[0] - n0;
    double after = 0.0;
    for (int q = 1; q < width_; ++q) {
      const double sum0 = child0_[q], sum1 = total_[q] - sum0;
      after += sum0 * sum0 / n0 + sum1 * sum1 / n1;
    }
    return (after - before_) / total_[0];
  }
  bool beats(double best) const { return score() > best; }

 private:
  double before_ = 0.0;
};

// The same of one output, which most trees predict: its two sums stay in registers.
class SquaredErrorOfOne : public NumberSums {
 public:
  SquaredErrorOfOne(const double* total, int width, std::vector<double>& scratch)
      : NumberSums(total, width, scratch),
        n_(total[0]),
        sum_(total[1]),
        before_(total[1] * total[1] / total[0]) {}
  void set(const double* in0) {
    n0_ = in0[0];
    sum0_ = in0[1];
  }
  void move(double weight, const double* number) {
    n0_ += weight;
    sum0_ += weight * *number;
  }
  double weight0() const { return n0_; }
  bool one_is_empty() const { return !(n0_ > 0.0) || !(n0_ < n_); }
  double score() const {
    const double n1 = n_ - n0_, sum1 = sum_ - sum0_;
    return (sum0_ * sum0_ / n0_ + sum1 * sum1 / n1 - before_) / n_;
  }
  // Without a division.
  bool beats(double best) const {
    const double n1 = n_ - n0_, sum1 = sum_ - sum0_;
    return sum0_ * sum0_ * n1 + sum1 * sum1 * n0_ > (best * n_ + before_) * (n0_ * n1);
  }
  bool beats_is_cheap() const { return true; }

 private:
  double n_, sum_, before_;
  double n0_ = 0.0, sum0_ = 0.0;
};

// Decrease of the mean half Poisson deviance: sum log mean of the children less that of the node. A
// child without any sum has no likelihood.
class Poisson : public NumberSums {
 public:
  Poisson(const double* total, int width, std::vector<double>& scratch)
      : NumberSums(total, width, scratch), before_(part(total[1], total[0])) {}
  double score() const {
    if (!(child0_[1] > 0.0) || !(total_[1] - child0_[1] > 0.0))
      return -std::numeric_limits<double>::infinity();
    return limit();
  }
  bool beats(double best) const { return score() > best; }
  // What the score tends to where a sum vanishes.
  double limit() const {
    return (part(child0_[1], child0_[0]) + part(total_[1] - child0_[1], total_[0] - child0_[0]) -
            before_) /
           total_[0];
  }

 private:
  static double part(double sum, double n) { return sum > 0.0 ? sum * std::log(sum / n) : 0.0; }
  double before_;
};

}  // namespace aslant
