// Decrease of the fraction of rows outside their child's majority class.
//
// D. Heath, S. Kasif and S. Salzberg, Induction of Oblique Decision Trees, 1993; Murthy, Kasif and
// Salzberg (1994), section 3.3. They minimize the sum of both minorities; its decrease ranks splits
// equally.
#pragma once

#include "criteria/class_criterion.hpp"

namespace aslant {

// Weights outside the majority class, in the node and in either child.
class Minorities : public ClassCriterion {
 public:
  Minorities(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassCriterion(total, n_classes, scratch),
        before_(n_ - *std::max_element(total, total + n_classes)) {}
  static double impurity(const double* total, int n_classes) {
    const double n = std::accumulate(total, total + n_classes, 0.0);
    return std::max(0.0, 1.0 - *std::max_element(total, total + n_classes) / n);
  }

 protected:
  double minority0() const { return n0_ - *std::max_element(child0_, child0_ + n_classes_); }
  double minority1() const {
    double most = 0.0;
    for (int k = 0; k < n_classes_; ++k) most = std::max(most, in1(k));
    return n_ - n0_ - most;
  }
  double before_;
};

class SumMinority : public Minorities {
 public:
  static constexpr const char* kName = "sum_minority";
  static constexpr bool kConvex = true;
  static constexpr double kLeastScore = kMustBePositive;

  using Minorities::Minorities;
  double score() const { return (before_ - minority0() - minority1()) / n_; }
};

}  // namespace aslant
