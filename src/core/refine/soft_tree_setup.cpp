// One-time setup of a SoftTree from its rows and nodes.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "refine/kernels.hpp"
#include "refine/soft_tree.hpp"

namespace aslant {

SoftTree::SoftTree(const SoftRows& rows, std::vector<std::int32_t> children,
                   const SoftOptions& options)
    : options_(options),
      children_(std::move(children)),
      n_columns_(rows.n_columns),
      n_outputs_(static_cast<std::size_t>(rows.n_outputs)) {
  number_nodes();
  arrange(rows);
  measure(rows);
  const std::size_t n_nodes = children_.size() / 2;
  reach_.resize(n_nodes * kBlockRows);
  gate_.resize(n_nodes * kBlockRows);
  value_.resize(n_nodes * kBlockRows);
  reached_.resize(n_nodes);
  leaf_score_.resize(leaves_.size() * n_outputs_ * kBlockRows);
  of_planes_.resize(n_outputs_ * kBlockRows);
  restrict_to(std::vector<bool>(n_planes() * n_columns_, true),
              std::vector<bool>(n_planes(), true));
}

void SoftTree::restrict_to(const std::vector<bool>& used, const std::vector<bool>& moves) {
  used_start_.assign(1, 0);
  used_.clear();
  place_.assign(used.size(), -1);
  for (std::size_t u = 0; u < n_planes(); ++u) {
    for (std::size_t j = 0; j < n_columns_; ++j) {
      if (!used[u * n_columns_ + j]) continue;
      place_[u * n_columns_ + j] = static_cast<std::int32_t>(used_.size());
      used_.push_back(static_cast<std::uint32_t>(j));
    }
    used_start_.push_back(used_.size());
  }
  moves_.assign(moves.begin(), moves.end());
  coef_.resize(used_.size());
  plane_slope_.resize(used_.size() + n_planes());
  partial_.resize(plane_slope_.size() * kGradientLanes);
}

void SoftTree::number_nodes() {
  const auto n_nodes = static_cast<std::int32_t>(children_.size() / 2);
  number_.resize(n_nodes);
  subtree_end_.resize(n_nodes);
  for (std::int32_t node = 0; node < n_nodes; ++node) {
    std::vector<std::int32_t>& kind = children_[2 * node] >= 0 ? inner_ : leaves_;
    number_[node] = static_cast<std::int32_t>(kind.size());
    kind.push_back(node);
  }
  plane_node_ = inner_;
  for (const std::int32_t leaf : leaves_) plane_node_.insert(plane_node_.end(), n_outputs_, leaf);
  for (std::int32_t node = n_nodes; node-- > 0;) {
    subtree_end_[node] = node + 1;
    for (int c = 0; c < 2 && children_[2 * node] >= 0; ++c)
      subtree_end_[node] = std::max(subtree_end_[node], subtree_end_[children_[2 * node + c]]);
  }
}

// Sorts rows by leaf, so that a block visits few nodes.
void SoftTree::arrange(const SoftRows& rows) {
  std::vector<std::uint32_t> order(rows.n_rows);
  std::iota(order.begin(), order.end(), 0u);
  const auto label = [&](std::uint32_t i) { return rows.label == nullptr ? 0 : rows.label[i]; };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(rows.leaf[a], label(a)) < std::pair(rows.leaf[b], label(b));
  });
  n_blocks_ = (rows.n_rows + kBlockRows - 1) / kBlockRows;
  blocks_.assign(n_blocks_ * n_columns_ * kBlockRows, 0.0f);
  weight_.assign(n_blocks_ * kBlockRows, 0.0f);
  hard_leaf_.assign(n_blocks_ * kBlockRows, -1);
  missing_start_.assign(1, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t block = i / kBlockRows, r = i % kBlockRows;
    if (r == 0 && i > 0) missing_start_.push_back(missing_.size());
    weight_[i] = static_cast<float>(rows.weight[order[i]]);
    hard_leaf_[i] = rows.leaf[order[i]];
    const double* x = rows.values + order[i] * n_columns_;
    for (std::size_t j = 0; j < n_columns_; ++j) {
      if (x[j] == x[j])
        blocks_[(block * n_columns_ + j) * kBlockRows + r] = static_cast<float>(x[j]);
      else
        missing_.push_back({static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(j)});
    }
  }
  missing_start_.push_back(missing_.size());
  same_weight_.assign(n_blocks_, 1);  // equal weights simplify sums
  for (std::size_t i = 0; i < rows.n_rows; ++i)
    if (weight_[i] != weight_[i - i % kBlockRows]) same_weight_[i / kBlockRows] = 0;
  said_ = rows.label == nullptr ? number_leaves(rows, order, options_)
          : n_outputs_ > 0      ? logit_leaves(rows, order, options_)
                                : class_leaves(rows, order, leaves_.size(), options_);
}

// Mean and spread of every column at the node of every plane, from sums over leaves.
void SoftTree::measure(const SoftRows& rows) {
  const std::size_t n_nodes = children_.size() / 2, d = n_columns_;
  std::vector<double> weight(n_nodes, 0.0), present(n_nodes * d, 0.0);
  std::vector<double> sum(n_nodes * d, 0.0), squares(n_nodes * d, 0.0);
  for (std::size_t i = 0; i < rows.n_rows; ++i) {
    const std::size_t leaf = rows.leaf[i];
    const double* x = rows.values + i * d;
    const double w = rows.weight[i];
    weight[leaf] += w;
    for (std::size_t j = 0; j < d; ++j) {
      if (x[j] != x[j]) continue;
      present[leaf * d + j] += w;
      sum[leaf * d + j] += w * x[j];
      squares[leaf * d + j] += w * x[j] * x[j];
    }
  }
  for (std::size_t node = n_nodes; node-- > 0;)
    for (int c = 0; c < 2 && children_[2 * node] >= 0; ++c) {
      const std::size_t child = children_[2 * node + c];
      weight[node] += weight[child];
      for (std::size_t j = 0; j < d; ++j) {
        present[node * d + j] += present[child * d + j];
        sum[node * d + j] += sum[child * d + j];
        squares[node * d + j] += squares[child * d + j];
      }
    }
  const double* given = rows.fill;
  for (const std::int32_t node : plane_node_) {
    node_weight_.push_back(weight[node]);
    for (std::size_t j = 0; j < d; ++j) {
      const double here = present[node * d + j], total = weight[node];
      double fill = options_.fill_with_zero || !(here > 0.0) ? 0.0 : sum[node * d + j] / here;
      if (*given == *given) fill = *given;
      ++given;
      const double absent = total - here;
      const double mean = total > 0.0 ? (sum[node * d + j] + absent * fill) / total : 0.0;
      const double square =
          total > 0.0 ? (squares[node * d + j] + absent * fill * fill) / total : 0.0;
      mean_.push_back(mean);
      fill_.push_back(fill);
      scale_.push_back(std::sqrt(std::max(0.0, square - mean * mean) + options_.least_spread));
    }
  }
}

std::size_t SoftTree::n_parameters() const {
  return n_planes() * (n_columns_ + 1) + said_->n_parameters();
}

std::vector<double> SoftTree::mean_distance(const std::vector<double>& plane) const {
  const std::size_t d = n_columns_;
  std::vector<double> distance(inner_.size(), 0.0);
  for (std::size_t u = 0; u < inner_.size(); ++u) {
    const double* v = &plane[u * (d + 1)];
    double size = 0.0;  // normalizes planes of any size for single precision
    for (std::size_t j = 0; j <= d; ++j) size = std::max(size, std::abs(v[j]));
    if (size > 0.0 && node_weight_[u] > 0.0)
      distance[u] = size * (sum_of_distances(u, v, size) / node_weight_[u]);
  }
  return distance;
}

// Sum of |v . x + c| / size over the rows of an inner node; c follows v.
double SoftTree::sum_of_distances(std::size_t u, const double* v, double size) const {
  const std::size_t d = n_columns_;
  std::vector<float> coef(d);
  std::vector<std::uint32_t> every(d);
  std::iota(every.begin(), every.end(), 0u);
  for (std::size_t j = 0; j < d; ++j) coef[j] = static_cast<float>(v[j] / size);
  const auto constant = static_cast<float>(v[d] / size);
  double sum = 0.0;
  for (std::size_t block = 0; block < n_blocks_; ++block) {
    const std::int32_t* leaf = &hard_leaf_[block * kBlockRows];
    const auto inside = [&](std::size_t r) {
      return leaf[r] >= inner_[u] && leaf[r] < subtree_end_[inner_[u]];
    };
    bool any = false;
    for (std::size_t r = 0; r < kBlockRows; ++r) any = any || inside(r);
    if (!any) continue;
    float score[kBlockRows], extra[kBlockRows] = {};
    for (std::size_t i = missing_start_[block]; i < missing_start_[block + 1]; ++i) {
      const std::size_t j = missing_[i].column;
      extra[missing_[i].row_in_block] += coef[j] * static_cast<float>(fill_[u * d + j]);
    }
    block_scores({&blocks_[block * d * kBlockRows], every.data(), d}, coef.data(), constant, extra,
                 score);
    for (std::size_t r = 0; r < kBlockRows; ++r)
      if (inside(r)) sum += weight_[block * kBlockRows + r] * std::abs(score[r]);
  }
  return sum;
}

}  // namespace aslant
