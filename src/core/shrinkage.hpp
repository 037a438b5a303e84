// Covariances where columns are many for the rows.
//
// A covariance of d columns from few rows is mostly noise, and its inverse magnifies it. Two closed
// forms say how much: that of Y. Chen, A. Wiesel, Y. C. Eldar and A. O. Hero, Shrinkage Algorithms
// for MMSE Covariance Estimation, IEEE Transactions on Signal Processing 58, 2010 (OAS), and the
// largest eigenvalue of pure noise, after V. A. Marchenko and L. A. Pastur, 1967.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "node.hpp"

namespace aslant {

// Training cases a column from which on they are enough. A discriminant gains by shrinkage sooner
// than orientations gain by losing some.
enum class Enough : std::size_t { for_orientations = 5, for_discriminants = 10 };

// Whether the training cases are few for so many columns. The same at all nodes of a tree: where
// they are plenty at the root, nothing is regularised anywhere.
inline bool are_cases_few(const Node& node, std::size_t n_columns, Enough enough) {
  const std::size_t plenty = static_cast<std::size_t>(enough) * n_columns;
  return node.problem().cases() < static_cast<double>(plenty);
}

// How far to go from a d x d covariance S of n cases towards the multiple of the identity that has
// the same trace: between 0 and 1. `squares` is the sum of the squares of all elements of S.
inline double oas_shrinkage(double trace, double squares, double d, double n) {
  const double excess = squares - trace * trace / d;
  if (!(excess > 0.0)) return 1.0;
  const double estimate =
      ((1.0 - 2.0 / d) * squares + trace * trace) / ((n + 1.0 - 2.0 / d) * excess);
  return std::min(1.0, estimate);
}

// The largest eigenvalue that a correlation matrix of n cases has if its d columns are independent.
inline double largest_of_noise(double d, double n) {
  const double root = 1.0 + std::sqrt(d / n);
  return root * root;
}

}  // namespace aslant
