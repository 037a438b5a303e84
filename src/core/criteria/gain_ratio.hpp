// Information gain divided by the entropy of the child sizes.
//
// J. R. Quinlan, C4.5: Programs for Machine Learning, 1993. C4.5 compares ratios only among tests
// of at least average gain, which needs all tests: see the search C45.
#pragma once

#include "criteria/entropy.hpp"

namespace aslant {

class GainRatio : public Entropy {
 public:
  static constexpr const char* kName = "gain_ratio";
  static constexpr bool kConvex = false;  // a ratio
  static constexpr double kLeastScore = kMustBePositive;
  static constexpr bool kBoundsBins = false;

  using Entropy::Entropy;
  double score() const {
    const double branches = (z_log_z(n_) - z_log_z(n0_) - z_log_z(n_ - n0_)) / n_;
    return branches > 0.0 ? Entropy::score() / branches : 0.0;
  }
  static double multiway_score(const ChildStatistics& children, const std::vector<double>& total) {
    std::vector<double> sizes;
    for (const std::vector<double>& child : children)
      sizes.push_back(std::accumulate(child.begin(), child.end(), 0.0));
    const double branches = impurity(sizes.data(), static_cast<int>(sizes.size()));
    return branches > 0.0 ? impurity_decrease<Entropy>(children, total) / branches : 0.0;
  }
};

}  // namespace aslant
