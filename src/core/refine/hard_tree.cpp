// Evaluates the hard version of a soft tree on validation rows, without building that tree.

#include <algorithm>
#include <cmath>

#include "refine/kernels.hpp"
#include "refine/soft_tree.hpp"

namespace aslant {

namespace {

// Row counts of the nodes, and the tree that they leave.
class Remains {
 public:
  // Without classes every leaf is distinct.
  Remains(const std::vector<std::int32_t>& children, std::size_t n_classes)
      : children_(children),
        n_classes_(n_classes),
        n_nodes_(children.size() / 2),
        reached_(n_nodes_, 0),
        weight_(n_nodes_ * n_classes, 0.0),
        label_(n_nodes_, 0),
        is_leaf_(n_nodes_, 0) {}

  void count(std::int32_t leaf, std::int32_t label, double weight) {
    reached_[leaf] += 1;
    if (n_classes_ > 0) weight_[static_cast<std::size_t>(leaf) * n_classes_ + label] += weight;
  }

  // Bottom-up: a node whose branches all predict one class is a leaf.
  void settle() {
    for (std::size_t node = n_nodes_; node-- > 0;) {
      if (children_[2 * node] < 0) {
        is_leaf_[node] = 1;
        const double* weight = weight_.data() + node * n_classes_;
        label_[node] = static_cast<std::int32_t>(
            n_classes_ == 0
                ? node
                : static_cast<std::size_t>(std::max_element(weight, weight + n_classes_) - weight));
        continue;
      }
      const std::int32_t child0 = children_[2 * node], child1 = children_[2 * node + 1];
      reached_[node] = reached_[child0] + reached_[child1];
      const std::int32_t some = reached_[child0] > 0 ? child0 : child1;
      label_[node] = label_[some];
      is_leaf_[node] = is_leaf_[some];
      if (divides(node))
        is_leaf_[node] = is_leaf_[child0] && is_leaf_[child1] && label_[child0] == label_[child1];
    }
  }

  // Whether rows reach both branches; otherwise the test is dropped.
  bool divides(std::size_t node) const {
    return reached_[children_[2 * node]] > 0 && reached_[children_[2 * node + 1]] > 0;
  }

  std::int32_t only_branch(std::size_t node) const {
    return children_[2 * node + (reached_[children_[2 * node]] > 0 ? 0 : 1)];
  }

  bool is_leaf(std::size_t node) const { return is_leaf_[node] != 0; }
  std::int32_t label(std::size_t node) const { return label_[node]; }

 private:
  const std::vector<std::int32_t>& children_;
  std::size_t n_classes_, n_nodes_;
  std::vector<std::int64_t> reached_;
  std::vector<double> weight_;
  std::vector<std::int32_t> label_;
  std::vector<char> is_leaf_;
};

}  // namespace

HardOutcome SoftTree::hard_outcome(const std::vector<double>& parameters, const double* rows,
                                   std::size_t n_rows) {
  const std::size_t d = n_columns_;
  std::vector<bool> used(n_planes() * d), moves(n_planes(), false);
  for (std::size_t u = 0; u < n_planes(); ++u)
    for (std::size_t j = 0; j < d; ++j) used[u * d + j] = parameters[u * (d + 1) + j] != 0.0;
  restrict_to(used, moves);
  unfold(parameters);

  Remains remains(children_, n_classes_);
  for (std::size_t block = 0; block < n_blocks_; ++block) {
    const std::vector<std::int32_t>& leaf = hard_leaves(block);
    for (std::size_t r = 0, i = block * kBlockRows; r < kBlockRows; ++r, ++i)
      if (hard_leaf_[i] >= 0) remains.count(leaf[r], label_[i], weight_[i]);
  }
  remains.settle();

  HardOutcome outcome;
  std::vector<std::int32_t> pending = {0};
  while (!pending.empty()) {
    std::int32_t node = pending.back();
    pending.pop_back();
    while (!remains.is_leaf(node) && !remains.divides(node)) node = remains.only_branch(node);
    if (remains.is_leaf(node)) {
      outcome.n_leaves += 1;
      continue;
    }
    const std::size_t u = number_[node];
    outcome.n_coefficients += used_start_[u + 1] - used_start_[u];
    pending.insert(pending.end(), {children_[2 * node], children_[2 * node + 1]});
  }
  outcome.label.reserve(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) {
    std::int32_t node = 0;
    while (!remains.is_leaf(node))
      node = remains.divides(node) ? branch(node, rows + i * d) : remains.only_branch(node);
    outcome.label.push_back(remains.label(node));
  }
  return outcome;
}

// The leaf of each row of a block, with hard gates.
const std::vector<std::int32_t>& SoftTree::hard_leaves(std::size_t block) {
  visited_.assign(kBlockRows, 0);
  float score[kBlockRows];
  const auto n_nodes = static_cast<std::int32_t>(subtree_end_.size());
  for (std::int32_t node = 0; node < n_nodes;) {
    const bool any = std::find(visited_.begin(), visited_.end(), node) != visited_.end();
    if (any && children_[2 * node] >= 0) {
      score_rows(block, number_[node], score);
      for (std::size_t r = 0; r < kBlockRows; ++r)
        if (visited_[r] == node) visited_[r] = children_[2 * node + (score[r] > 0.0f ? 1 : 0)];
    }
    node = any ? node + 1 : subtree_end_[node];
  }
  return visited_;
}

// The child for a row with hard gates; sums in the order of `block_scores`.
std::int32_t SoftTree::branch(std::int32_t node, const double* x) const {
  const std::size_t u = number_[node];
  float score = 0.0f;
  for (std::size_t i = used_start_[u]; i < used_start_[u + 1]; ++i)
    if (std::isnan(x[used_[i]]))
      score += coef_[i] * static_cast<float>(fill_[u * n_columns_ + used_[i]]);
  score += constant_[u];
  for (std::size_t i = used_start_[u]; i < used_start_[u + 1]; ++i)
    if (!std::isnan(x[used_[i]])) score += coef_[i] * static_cast<float>(x[used_[i]]);
  return children_[2 * node + (score > 0.0f ? 1 : 0)];
}

}  // namespace aslant
