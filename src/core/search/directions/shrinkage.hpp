// Covariances of many columns from few rows are mostly noise, which their inverses magnify. Two
// closed forms quantify it: OAS (Y. Chen, A. Wiesel, Y. C. Eldar and A. O. Hero, Shrinkage
// Algorithms for MMSE Covariance Estimation, IEEE Transactions on Signal Processing 58, 2010) and
// the largest eigenvalue of pure noise (V. A. Marchenko and L. A. Pastur, 1967).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "node/node.hpp"

namespace aslant {

// Sufficient training cases per column. Discriminants profit from regularization sooner.
enum class Enough : std::size_t { for_orientations = 5, for_discriminants = 10 };

// Whether the training set, not the node, is small for so many columns: the same at all nodes.
inline bool are_cases_few(const Node& node, std::size_t n_columns, Enough enough) {
  const std::size_t plenty = static_cast<std::size_t>(enough) * n_columns;
  return node.problem().cases() < static_cast<double>(plenty);
}

// OAS weight, in [0, 1], of the scaled identity against a d x d covariance S of n cases; `squares`
// is the sum of the squared elements of S.
inline double oas_shrinkage(double trace, double squares, double d, double n) {
  const double excess = squares - trace * trace / d;
  if (!(excess > 0.0)) return 1.0;
  const double estimate =
      ((1.0 - 2.0 / d) * squares + trace * trace) / ((n + 1.0 - 2.0 / d) * excess);
  return std::min(1.0, estimate);
}

// The largest eigenvalue of a correlation matrix of n cases of d independent columns.
inline double largest_of_noise(double d, double n) {
  const double root = 1.0 + std::sqrt(d / n);
  return root * root;
}

}  // namespace aslant
