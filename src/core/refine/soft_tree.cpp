#include "refine/soft_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "refine/kernels.hpp"

namespace aslant {

namespace {

// Single-precision sums are added to double-precision ones after so many blocks.
constexpr std::size_t kBlocksPerSum = 256;

// Larger coefficients saturate their gates anyway; sums must stay finite.
constexpr double kLargestCoefficient = 1e20;

float as_coefficient(double value) {
  return static_cast<float>(std::min(std::max(value, -kLargestCoefficient), kLargestCoefficient));
}

}  // namespace

double SoftTree::evaluate(const std::vector<double>& parameters, double strength,
                          std::vector<double>& gradient) {
  unfold(parameters);
  double loss = 0.0;
  for (std::size_t block = 0; block < n_blocks_; ++block) {
    loss += pass(block);
    if ((block + 1) % kBlocksPerSum == 0) collect();
  }
  collect();
  return loss + fold(parameters, strength, gradient);
}

// From parameters to planes over raw columns, and to the leaves.
void SoftTree::unfold(const std::vector<double>& parameters) {
  const std::size_t d = n_columns_, m = n_planes();
  constant_.resize(m);
  for (std::size_t u = 0; u < m; ++u) {
    const double* w = &parameters[u * (d + 1)];
    double constant = w[d];
    for (std::size_t i = used_start_[u]; i < used_start_[u + 1]; ++i) {
      const std::size_t j = used_[i];
      const double v = w[j] / scale_[u * d + j];
      coef_[i] = as_coefficient(v);
      constant -= v * mean_[u * d + j];
    }
    constant_[u] = as_coefficient(constant);
  }
  said_->unfold(parameters.data() + m * (d + 1));
  std::fill(partial_.begin(), partial_.end(), 0.0f);
  std::fill(plane_slope_.begin(), plane_slope_.end(), 0.0);
}

BlockColumns SoftTree::columns_at(std::size_t block, std::size_t u) const {
  return {&blocks_[block * n_columns_ * kBlockRows], &used_[used_start_[u]],
          used_start_[u + 1] - used_start_[u]};
}

void SoftTree::score_rows(std::size_t block, std::size_t u, float* score) const {
  float extra[kBlockRows] = {};
  for (std::size_t i = missing_start_[block]; i < missing_start_[block + 1]; ++i) {
    const std::size_t entry = u * n_columns_ + missing_[i].column;
    if (place_[entry] >= 0)
      extra[missing_[i].row_in_block] += coef_[place_[entry]] * static_cast<float>(fill_[entry]);
  }
  block_scores(columns_at(block, u), &coef_[used_start_[u]], constant_[u], extra, score);
}

void SoftTree::add_gradient(std::size_t block, std::size_t u, const float* slope,
                            const float* reach, const float* value_slope) {
  float of_score[kBlockRows];
  float* partial = &partial_[(used_start_[u] + u) * kGradientLanes];
  add_block_gradient(columns_at(block, u), slope, reach, value_slope, partial, of_score);
  for (std::size_t i = missing_start_[block]; i < missing_start_[block + 1]; ++i) {
    const std::size_t entry = u * n_columns_ + missing_[i].column;
    if (place_[entry] < 0) continue;
    const std::size_t own = place_[entry] - used_start_[u];
    partial[own * kGradientLanes] +=
        of_score[missing_[i].row_in_block] * static_cast<float>(fill_[entry]);
  }
}

// Adds the sums of the last blocks to the totals.
void SoftTree::collect() {
  for (std::size_t i = 0; i < plane_slope_.size(); ++i) {
    float* lane = &partial_[i * kGradientLanes];
    for (std::size_t l = kGradientLanes / 2; l > 0; l /= 2)
      for (std::size_t k = 0; k < l; ++k) lane[k] += lane[k + l];
    plane_slope_[i] += static_cast<double>(lane[0]);
    std::fill_n(lane, kGradientLanes, 0.0f);
  }
}

// The reach probabilities and gates of every node for a block.
void SoftTree::descend(std::size_t block) {
  visited_.clear();
  for (std::size_t r = 0; r < kBlockRows; ++r)
    reach_[r] = weight_[block * kBlockRows + r] > 0.0f ? 1.0f : 0.0f;
  const auto least = static_cast<float>(options_.least_reach);
  float score[kBlockRows];
  reached_[0] = 1;
  for (std::int32_t node = 0; node < static_cast<std::int32_t>(subtree_end_.size());) {
    if (!reached_[node]) {
      node = subtree_end_[node];
      continue;
    }
    visited_.push_back(node);
    if (children_[2 * node] >= 0) {
      const std::size_t child0 = children_[2 * node], child1 = children_[2 * node + 1];
      score_rows(block, number_[node], score);
      const unsigned any =
          pass_gate(score, &reach_[node * kBlockRows], least, &gate_[node * kBlockRows],
                    &reach_[child0 * kBlockRows], &reach_[child1 * kBlockRows]);
      reached_[child0] = any & 1u;
      reached_[child1] = any >> 1;
    }
    ++node;
  }
}

// The plane outputs of the leaves that a block reaches.
void SoftTree::score_leaves(std::size_t block) {
  visited_leaves_.clear();
  for (const std::int32_t node : visited_) {
    if (children_[2 * node] >= 0) continue;
    const std::size_t leaf = number_[node];
    float* score = leaf_score_.data() + leaf * n_outputs_ * kBlockRows;
    for (std::size_t k = 0; k < n_outputs_; ++k)
      score_rows(block, inner_.size() + leaf * n_outputs_ + k, score + k * kBlockRows);
    visited_leaves_.push_back(
        {leaf, &reach_[node * kBlockRows], score, &value_[node * kBlockRows]});
  }
}

// Bottom-up: the likelihood of a row's target given that it reaches the node.
void SoftTree::ascend(std::size_t block) {
  score_leaves(block);
  said_->write_values(block, visited_leaves_);
  for (std::size_t v = visited_.size(); v-- > 0;) {
    const std::int32_t node = visited_[v];
    if (children_[2 * node] < 0) continue;
    const std::size_t child0 = children_[2 * node], child1 = children_[2 * node + 1];
    join_values(&reach_[child0 * kBlockRows], &reach_[child1 * kBlockRows],
                &value_[child0 * kBlockRows], &value_[child1 * kBlockRows],
                &gate_[node * kBlockRows], &value_[node * kBlockRows]);
  }
}

// The loss of a block; adds its slopes.
double SoftTree::pass(std::size_t block) {
  descend(block);
  ascend(block);
  float slope[kBlockRows];
  const double loss =
      said_->loss(block, value_.data(), &weight_[block * kBlockRows], same_weight_[block], slope);
  for (const std::int32_t node : visited_) {
    if (children_[2 * node] >= 0 && moves_[number_[node]])
      add_gradient(block, number_[node], slope, &reach_[node * kBlockRows],
                   &gate_[node * kBlockRows]);
  }
  for (const SoftLeaves::Visit& visit : visited_leaves_) add_leaf_slopes(block, visit, slope);
  return loss;
}

void SoftTree::add_leaf_slopes(std::size_t block, const SoftLeaves::Visit& visit,
                               const float* slope) {
  static constexpr auto kOnes = [] {
    std::array<float, kBlockRows> ones{};
    for (float& one : ones) one = 1.0f;
    return ones;
  }();
  float of_log[kBlockRows];
  block_product(slope, visit.reach, visit.value, of_log);
  said_->add_slopes(block, visit, of_log, of_planes_.data());
  for (std::size_t k = 0; k < n_outputs_; ++k) {
    const std::size_t u = inner_.size() + visit.leaf * n_outputs_ + k;
    if (moves_[u]) add_gradient(block, u, &of_planes_[k * kBlockRows], kOnes.data(), kOnes.data());
  }
}

// From slopes of planes and leaves to those of parameters; adds the penalties.
double SoftTree::fold(const std::vector<double>& parameters, double strength,
                      std::vector<double>& gradient) const {
  const std::size_t d = n_columns_, m = n_planes();
  double penalty = 0.0;
  for (std::size_t u = 0; u < m; ++u) {
    const double* w = &parameters[u * (d + 1)];
    double* out = &gradient[u * (d + 1)];
    const double constant_slope = plane_slope_[used_start_[u + 1] + u];
    for (std::size_t j = 0; j < d; ++j) {
      out[j] = strength * w[j];
      penalty += 0.5 * strength * w[j] * w[j];
    }
    for (std::size_t i = used_start_[u]; i < used_start_[u + 1]; ++i) {
      const std::size_t j = used_[i];
      out[j] += (plane_slope_[i + u] - mean_[u * d + j] * constant_slope) / scale_[u * d + j];
    }
    out[d] = constant_slope + options_.constant_strength * w[d];
    penalty += 0.5 * options_.constant_strength * w[d] * w[d];
  }
  const std::size_t place = m * (d + 1);
  return penalty + said_->fold(parameters.data() + place, gradient.data() + place);
}

}  // namespace aslant
