// The first principal axis of several outputs.
#pragma once

#include <cmath>
#include <vector>

#include "support/lapack.hpp"

namespace aslant {

// The axis of k outputs stored one after the other, not centered; its largest component is
// positive. `rows` gives the weights.
template <class Rows>
std::vector<double> principal_axis(const std::vector<double>& outputs, int k, const Rows& rows) {
  if (k == 1) return {1.0};
  const std::size_t n = outputs.size() / static_cast<std::size_t>(k);
  std::vector<double> products(static_cast<std::size_t>(k) * k, 0.0);
  for (int a = 0; a < k; ++a)
    for (int b = 0; b < k; ++b)
      for (std::size_t i = 0; i < n; ++i)
        products[a * k + b] += rows.weight_of(i) * outputs[a * n + i] * outputs[b * n + i];
  std::vector<double> axis = dominant_eigenvector(products, k);
  double largest = 0.0;
  for (double value : axis)
    if (std::abs(value) > std::abs(largest)) largest = value;
  for (double& value : axis) value = largest < 0.0 ? -value : value;
  return axis;
}

}  // namespace aslant
