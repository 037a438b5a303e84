// Decrease of the larger of both children's minorities, as a fraction of the node's weight.
//
// Heath, Kasif and Salzberg (1993); Murthy, Kasif and Salzberg (1994), section 3.3. They minimize
// the larger minority; its decrease ranks splits equally.
#pragma once

#include "criteria/sum_minority.hpp"

namespace aslant {

class MaxMinority : public Minorities {
 public:
  static constexpr const char* kName = "max_minority";
  static constexpr bool kConvex = false;  // the lower of two convex functions
  static constexpr double kLeastScore = kMustBePositive;

  using Minorities::Minorities;
  double score() const { return (before_ - std::max(minority0(), minority1())) / n_; }
  static double multiway_score(const ChildStatistics& children, const std::vector<double>& total) {
    const auto n_classes = static_cast<int>(total.size());
    const double n = std::accumulate(total.begin(), total.end(), 0.0);
    double most = 0.0;
    for (const std::vector<double>& child : children) {
      const double size = std::accumulate(child.begin(), child.end(), 0.0);
      if (size > 0.0) most = std::max(most, size / n * impurity(child.data(), n_classes));
    }
    return impurity(total.data(), n_classes) - most;
  }
};

}  // namespace aslant
