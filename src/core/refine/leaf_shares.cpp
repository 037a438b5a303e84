#include "refine/leaf_shares.hpp"

#include <algorithm>

#include "refine/soft_tree.hpp"

namespace aslant {

std::vector<double> leaf_shares(const ReachedLeaves& rows, std::vector<double> share,
                                int iterations, const SoftOptions& options) {
  const std::size_t n_leaves = rows.n_leaves, n_classes = rows.n_classes;
  const double certain = 1.0 - options.noise;
  const double chance = options.noise / static_cast<double>(n_classes);
  // By class, so that the leaves of a row's class lie together.
  std::vector<double> own(n_leaves * n_classes), expected(own.size());
  for (int step = 0; step < iterations; ++step) {
    for (std::size_t l = 0; l < n_leaves; ++l)
      for (std::size_t k = 0; k < n_classes; ++k) own[k * n_leaves + l] = share[l * n_classes + k];
    std::fill(expected.begin(), expected.end(), 0.0);
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
      const double* reach = rows.reach + i * n_leaves;
      const std::size_t first = static_cast<std::size_t>(rows.label[i]) * n_leaves;
      double likelihood = 0.0;
      for (std::size_t l = 0; l < n_leaves; ++l) likelihood += reach[l] * own[first + l];
      const double factor = rows.weight[i] * certain / (certain * likelihood + chance);
      for (std::size_t l = 0; l < n_leaves; ++l) expected[first + l] += factor * reach[l];
    }
    for (std::size_t l = 0; l < n_leaves; ++l) {
      double total = 0.0;
      for (std::size_t k = 0; k < n_classes; ++k)
        total += share[l * n_classes + k] = own[k * n_leaves + l] * expected[k * n_leaves + l] +
                                            options.prior / static_cast<double>(n_classes);
      for (std::size_t k = 0; k < n_classes; ++k) share[l * n_classes + k] /= total;
    }
  }
  return share;
}

}  // namespace aslant
