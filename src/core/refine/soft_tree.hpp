// A tree with soft gates: a row goes to child 1 with the probability that a sigmoid of its
// projection gives. The likelihood is smooth in all tests and leaves, which are fitted jointly.
//
// M. I. Jordan and R. A. Jacobs, Hierarchical Mixtures of Experts and the EM Algorithm, Neural
// Computation 6, 1994; A. Suarez and J. F. Lutsko, Globally Optimal Fuzzy Decision Trees for
// Classification and Regression, IEEE PAMI 21, 1999.
//
// With u an inner node, l a leaf:
//   x'       = (x - mean_u) / scale_u, over the rows that reach u in the hard tree; fixed
//   gate_u   = 1 / (1 + exp(-(w_u . x' + b_u))), the probability of child 1
//   P(k | x) = sum over leaves of the product of gates on the way times softmax(theta_l)_k
// and the loss over all w, b, theta, with L2 penalties and a prior on the leaves, is
//   - sum_i weight_i log((1 - noise) P(y_i | x_i) + noise / K)
//   + strength / 2 sum |w|^2 + constant_strength / 2 sum b^2
//   - prior / K sum over leaves and classes of log softmax(theta_l)_k.
// For regression each leaf has a linear function a . x' + m per output, in the coordinates of the
// leaf, and P is a density: see refine/number_leaves.cpp. Leaves of classes may have linear logits:
// see refine/logit_leaves.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "refine/kernels.hpp"
#include "refine/soft_leaves.hpp"

namespace aslant {

// Rows of columns of similar scale, with class labels or regression targets.
struct SoftRows {
  std::size_t n_rows = 0, n_columns = 0;
  const double* values = nullptr;       // row-major, NaN where missing
  const std::int32_t* label = nullptr;  // null for regression
  const double* weight = nullptr;
  const std::int32_t* leaf = nullptr;  // leaf of each row in the hard tree
  const double* fill = nullptr;        // per plane and column, NaN: estimated from the rows
  int n_classes = 0;
  const double* numbers = nullptr;  // regression targets, row-major
  int n_outputs = 0;                // planes per leaf: outputs, logits, or none
};

struct SoftOptions {
  double noise = 0.02;
  double prior = 0.1;
  double constant_strength = 0.001;
  double noise_prior = 1.0, least_noise = 0.1;  // of regression targets with deviation about 1
  double least_reach = 1e-4;                    // branches reached with less are skipped
  double least_spread = 0.01;                   // added to the variance of a column at a node
  bool fill_with_zero = false;                  // missing values are 0, else the node's mean
};

class SoftTree {
 public:
  // `children`: two per node, -1 at leaves; after their parents. Subtrees are ranges of nodes.
  SoftTree(const SoftRows& rows, std::vector<std::int32_t> children, const SoftOptions& options);

  // Planes: the gate of each inner node; then those of each leaf, one per output or logit.
  // Parameters: w, then b of each plane; then the other leaf parameters.
  std::size_t n_parameters() const;
  std::size_t n_planes() const { return plane_node_.size(); }
  std::size_t n_gates() const { return inner_.size(); }
  std::size_t n_columns() const { return n_columns_; }

  // Per plane, gates first, in node order: n_planes x n_columns, and the weight of its node.
  const std::vector<double>& mean() const { return mean_; }
  const std::vector<double>& scale() const { return scale_; }
  const std::vector<double>& fill() const { return fill_; }
  const std::vector<double>& node_weight() const { return node_weight_; }

  // Mean of |v . x + c| over the hard-tree rows of each inner node; `plane` holds v and c.
  std::vector<double> mean_distance(const std::vector<double>& plane) const;

  // Restricts each plane to some columns, n_planes x n_columns. The w of the others must be 0;
  // their slopes are those of the penalty. Planes that do not move get no slopes.
  void restrict_to(const std::vector<bool>& used, const std::vector<bool>& moves);

  // The loss and its gradient; `strength` is the L2 penalty.
  double evaluate(const std::vector<double>& parameters, double strength,
                  std::vector<double>& gradient);

 private:
  struct Missing {
    std::uint32_t row_in_block, column;
  };

  void number_nodes();
  void arrange(const SoftRows& rows);
  void measure(const SoftRows& rows);
  double sum_of_distances(std::size_t u, const double* v, double size) const;
  void unfold(const std::vector<double>& parameters);
  double pass(std::size_t block);
  void descend(std::size_t block);
  void ascend(std::size_t block);
  BlockColumns columns_at(std::size_t block, std::size_t u) const;
  void score_rows(std::size_t block, std::size_t u, float* score) const;
  void score_leaves(std::size_t block);
  void add_gradient(std::size_t block, std::size_t u, const float* slope, const float* reach,
                    const float* value_slope);
  void add_leaf_slopes(std::size_t block, const SoftLeaves::Visit& visit, const float* slope);
  void collect();
  double fold(const std::vector<double>& parameters, double strength,
              std::vector<double>& gradient) const;

  SoftOptions options_;
  std::vector<std::int32_t> children_, subtree_end_;
  std::vector<std::int32_t> inner_, leaves_;  // nodes
  std::vector<std::int32_t> number_;          // of a node among the inner nodes, or the leaves
  std::vector<std::int32_t> plane_node_;      // node of every plane
  std::size_t n_columns_, n_blocks_ = 0, n_outputs_;
  std::unique_ptr<SoftLeaves> said_;  // likelihoods of the target

  // Rows in blocks, by leaf, then by class.
  std::vector<float> blocks_;
  std::vector<float> weight_;
  std::vector<char> same_weight_;           // per block: whether all its rows have one weight
  std::vector<std::size_t> missing_start_;  // per block
  std::vector<Missing> missing_;
  std::vector<std::int32_t> hard_leaf_;

  std::vector<double> mean_, scale_, fill_, node_weight_;

  // Columns that each plane reads, concatenated, and the place of each column there, -1 if unread.
  std::vector<std::size_t> used_start_;
  std::vector<std::uint32_t> used_;
  std::vector<std::int32_t> place_;
  std::vector<char> moves_;

  // At the current parameters. Planes: v = w / scale per column read, and c = b - v . mean; slopes
  // and partial sums have one more entry per plane, for c.
  std::vector<float> coef_, constant_;
  std::vector<float> partial_;
  std::vector<double> plane_slope_;
  std::vector<float> reach_, gate_, value_;  // per node and row of a block
  std::vector<char> reached_;                // whether any row of the block reaches a node
  std::vector<std::int32_t> visited_;
  std::vector<SoftLeaves::Visit> visited_leaves_;
  std::vector<float> leaf_score_;  // per leaf, output and row of a block
  std::vector<float> of_planes_;   // per output and row of a block
};

}  // namespace aslant
