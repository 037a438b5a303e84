// The class probabilities of leaves of greatest likelihood, given the probabilities with which rows
// reach the leaves: expectation maximization of a mixture with known weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aslant {

struct SoftOptions;

// Rows that reach leaves: reach is n_rows x n_leaves, label below n_classes.
struct ReachedLeaves {
  std::size_t n_rows, n_leaves, n_classes;
  const double* reach;
  const std::int32_t* label;
  const double* weight;
};

// Maximizes sum_i weight_i log((1 - noise) sum_l reach_il share_l,y_i + noise / K)
//   + prior / K sum over leaves and classes of log share_lk,
// which is concave, from the given shares (n_leaves x n_classes).
std::vector<double> leaf_shares(const ReachedLeaves& rows, std::vector<double> share,
                                int iterations, const SoftOptions& options);

}  // namespace aslant
