#include "refine/soft_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "refine/kernels.hpp"

namespace aslant {

namespace {

bool any_positive(const double* values) {
  double largest = 0.0;
  for (std::size_t r = 0; r < kBlockRows; ++r) largest = std::max(largest, values[r]);
  return largest > 0.0;
}

}  // namespace

double SoftTree::evaluate(const std::vector<double>& parameters, double strength,
                          std::vector<double>& gradient) {
  unfold(parameters);
  double loss = 0.0;
  for (std::size_t block = 0; block < n_blocks_; ++block) loss += pass(block);
  return loss + fold(parameters, strength, gradient);
}

// From parameters to planes over the columns as they are, and to the shares of the leaves.
void SoftTree::unfold(const std::vector<double>& parameters) {
  const std::size_t d = n_columns_, m = inner_.size();
  coef_.resize(m * d);
  constant_.resize(m);
  for (std::size_t u = 0; u < m; ++u) {
    const double* w = &parameters[u * (d + 1)];
    constant_[u] = w[d];
    for (std::size_t j = 0; j < d; ++j) {
      coef_[u * d + j] = w[j] / scale_[u * d + j];
      constant_[u] -= coef_[u * d + j] * mean_[u * d + j];
    }
  }
  share_.resize(leaves_.size() * n_classes_);
  const double* theta = parameters.data() + m * (d + 1);
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    const double* own = theta + l * n_classes_;
    const double largest = *std::max_element(own, own + n_classes_);
    double total = 0.0;
    for (int k = 0; k < n_classes_; ++k)
      total += share_[l * n_classes_ + k] = std::exp(own[k] - largest);
    for (int k = 0; k < n_classes_; ++k) share_[l * n_classes_ + k] /= total;
  }
  coef_slope_.assign(m * d * kGradientLanes, 0.0);
  constant_slope_.assign(m, 0.0);
  share_slope_.assign(leaves_.size() * n_classes_, 0.0);
}

void SoftTree::score_rows(std::size_t block, std::size_t u, double* score) const {
  const std::size_t d = n_columns_;
  block_scores(&coef_[u * d], constant_[u], &blocks_[block * d * kBlockRows], d, score);
  for (std::size_t i = missing_start_[block]; i < missing_start_[block + 1]; ++i) {
    const std::size_t j = missing_[i].column;
    score[missing_[i].row_in_block] += coef_[u * d + j] * fill_[u * d + j];
  }
}

void SoftTree::add_gradient(std::size_t block, std::size_t u, const double* slope) {
  const std::size_t d = n_columns_;
  double* partial = &coef_slope_[u * d * kGradientLanes];
  add_block_gradient(slope, &blocks_[block * d * kBlockRows], d, partial);
  for (std::size_t i = missing_start_[block]; i < missing_start_[block + 1]; ++i) {
    const std::size_t j = missing_[i].column;
    partial[j * kGradientLanes] += slope[missing_[i].row_in_block] * fill_[u * d + j];
  }
}

// The probability with which the rows of a block reach every node, and the gates there.
void SoftTree::descend(std::size_t block) {
  visited_.clear();
  for (std::size_t r = 0; r < kBlockRows; ++r)
    reach_[r] = weight_[block * kBlockRows + r] > 0.0 ? 1.0 : 0.0;
  double score[kBlockRows];
  for (std::int32_t node = 0; node < static_cast<std::int32_t>(subtree_end_.size());) {
    const double* reach = &reach_[node * kBlockRows];
    if (!any_positive(reach)) {
      node = subtree_end_[node];
      continue;
    }
    visited_.push_back(node);
    if (children_[2 * node] >= 0) {
      double* gate = &gate_[node * kBlockRows];
      double* reach0 = &reach_[children_[2 * node] * kBlockRows];
      double* reach1 = &reach_[children_[2 * node + 1] * kBlockRows];
      score_rows(block, number_[node], score);
      block_gates(score, gate);
      divide_reach(reach, gate, options_.least_reach, reach0, reach1);
    }
    ++node;
  }
}

// The loss of the rows of a block; adds its slopes.
double SoftTree::pass(std::size_t block) {
  descend(block);
  const std::int32_t* label = &label_[block * kBlockRows];
  const double* weight = &weight_[block * kBlockRows];
  // From the leaves up: the probability of the row's own class, given that it reached the node.
  for (std::size_t v = visited_.size(); v-- > 0;) {
    const std::int32_t node = visited_[v];
    const double *reach = &reach_[node * kBlockRows], *gate = &gate_[node * kBlockRows];
    double* value = &value_[node * kBlockRows];
    if (children_[2 * node] < 0) {
      const double* share = &share_[static_cast<std::size_t>(number_[node]) * n_classes_];
      for (std::size_t r = 0; r < kBlockRows; ++r)
        value[r] = reach[r] > 0.0 ? share[label[r]] : 0.0;
      continue;
    }
    const std::size_t child0 = children_[2 * node], child1 = children_[2 * node + 1];
    const double *reach0 = &reach_[child0 * kBlockRows], *reach1 = &reach_[child1 * kBlockRows];
    double *value0 = &value_[child0 * kBlockRows], *value1 = &value_[child1 * kBlockRows];
    join_values(gate, reach0, reach1, value0, value1, value);
  }
  double loss = 0.0, slope[kBlockRows];
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    const double certain = 1.0 - options_.noise;
    const double p = certain * value_[r] + options_.noise / n_classes_;
    slope[r] = 0.0;
    if (!(weight[r] > 0.0)) continue;
    loss -= weight[r] * std::log(p);
    slope[r] = -weight[r] * certain / p;
  }
  double of_score[kBlockRows];
  for (const std::int32_t node : visited_) {
    const double *reach = &reach_[node * kBlockRows], *gate = &gate_[node * kBlockRows];
    if (children_[2 * node] < 0) {
      double* out = &share_slope_[static_cast<std::size_t>(number_[node]) * n_classes_];
      const double* value = &value_[node * kBlockRows];
      for (std::size_t r = 0; r < kBlockRows; ++r) out[label[r]] += slope[r] * reach[r] * value[r];
      continue;
    }
    const double* value0 = &value_[children_[2 * node] * kBlockRows];
    const double* value1 = &value_[children_[2 * node + 1] * kBlockRows];
    constant_slope_[number_[node]] += score_slopes(slope, reach, gate, value0, value1, of_score);
    add_gradient(block, number_[node], of_score);
  }
  return loss;
}

// From the slopes of planes and shares to those of the parameters; adds the penalties.
double SoftTree::fold(const std::vector<double>& parameters, double strength,
                      std::vector<double>& gradient) const {
  const std::size_t d = n_columns_, m = inner_.size();
  double penalty = 0.0;
  for (std::size_t u = 0; u < m; ++u) {
    const double* w = &parameters[u * (d + 1)];
    double* out = &gradient[u * (d + 1)];
    for (std::size_t j = 0; j < d; ++j) {
      const double* partial = &coef_slope_[(u * d + j) * kGradientLanes];
      const double slope = (partial[0] + partial[2]) + (partial[1] + partial[3]);
      out[j] = (slope - mean_[u * d + j] * constant_slope_[u]) / scale_[u * d + j];
      out[j] += strength * w[j];
      penalty += 0.5 * strength * w[j] * w[j];
    }
    out[d] = constant_slope_[u] + options_.constant_strength * w[d];
    penalty += 0.5 * options_.constant_strength * w[d] * w[d];
  }
  double* theta_slope = gradient.data() + m * (d + 1);
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    const double* share = &share_[l * n_classes_];
    const double* own = &share_slope_[l * n_classes_];
    const double total = std::accumulate(own, own + n_classes_, 0.0);
    for (int k = 0; k < n_classes_; ++k) {
      penalty -= options_.prior / n_classes_ * std::log(std::max(share[k], 1e-300));
      theta_slope[l * n_classes_ + k] =
          own[k] - share[k] * total - options_.prior / n_classes_ + options_.prior * share[k];
    }
  }
  return penalty;
}

}  // namespace aslant
