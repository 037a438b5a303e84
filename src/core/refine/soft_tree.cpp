#include "refine/soft_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "refine/kernels.hpp"

namespace aslant {

namespace {

// Sums of single precision are added to those of double precision after so many blocks.
constexpr std::size_t kBlocksPerSum = 256;

// Coefficients beyond this make gates that are 0 or 1 anyway; sums of them must stay finite.
constexpr double kLargestCoefficient = 1e20;

float as_coefficient(double value) {
  return static_cast<float>(std::min(std::max(value, -kLargestCoefficient), kLargestCoefficient));
}

double sum_of(const float* values) {
  float lane[4] = {};
  for (std::size_t r = 0; r < kBlockRows; ++r) lane[r % 4] += values[r];
  return static_cast<double>((lane[0] + lane[2]) + (lane[1] + lane[3]));
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

// From parameters to planes over the columns as they are, and to the shares of the leaves.
void SoftTree::unfold(const std::vector<double>& parameters) {
  const std::size_t d = n_columns_, m = inner_.size();
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
  share_.resize(leaves_.size() * n_classes_);
  const double* theta = parameters.data() + m * (d + 1);
  for (std::size_t l = 0; l < leaves_.size(); ++l) {
    const double* own = theta + l * n_classes_;
    double* share = &share_[l * n_classes_];
    const double largest = *std::max_element(own, own + n_classes_);
    double total = 0.0;
    for (int k = 0; k < n_classes_; ++k) total += share[k] = std::exp(own[k] - largest);
    for (int k = 0; k < n_classes_; ++k) share[k] /= total;
  }
  std::fill(partial_.begin(), partial_.end(), 0.0f);
  std::fill(plane_slope_.begin(), plane_slope_.end(), 0.0);
  share_slope_.assign(leaves_.size() * n_classes_, 0.0);
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

// Adds the sums of the last blocks to those of all.
void SoftTree::collect() {
  for (std::size_t i = 0; i < plane_slope_.size(); ++i) {
    float* lane = &partial_[i * kGradientLanes];
    for (std::size_t l = kGradientLanes / 2; l > 0; l /= 2)
      for (std::size_t k = 0; k < l; ++k) lane[k] += lane[k + l];
    plane_slope_[i] += static_cast<double>(lane[0]);
    std::fill_n(lane, kGradientLanes, 0.0f);
  }
}

// The probability with which the rows of a block reach every node, and the gates there.
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

// From the leaves up: the probability of the row's own class, given that it reached the node.
void SoftTree::ascend(std::size_t block) {
  const std::int32_t* label = &label_[block * kBlockRows];
  for (std::size_t v = visited_.size(); v-- > 0;) {
    const std::int32_t node = visited_[v];
    float* value = &value_[node * kBlockRows];
    if (children_[2 * node] < 0) {
      const double* share = &share_[static_cast<std::size_t>(number_[node]) * n_classes_];
      if (same_label_[block])
        std::fill_n(value, kBlockRows, static_cast<float>(share[label[0]]));
      else
        for (std::size_t r = 0; r < kBlockRows; ++r) value[r] = static_cast<float>(share[label[r]]);
      continue;
    }
    const std::size_t child0 = children_[2 * node], child1 = children_[2 * node + 1];
    join_values(&reach_[child0 * kBlockRows], &reach_[child1 * kBlockRows],
                &value_[child0 * kBlockRows], &value_[child1 * kBlockRows],
                &gate_[node * kBlockRows], value);
  }
}

// The loss of the rows of a block; adds its slopes.
double SoftTree::pass(std::size_t block) {
  descend(block);
  ascend(block);
  float slope[kBlockRows], of_share[kBlockRows];
  const double loss = block_loss(value_.data(), &weight_[block * kBlockRows], same_weight_[block],
                                 static_cast<float>(1.0 - options_.noise),
                                 static_cast<float>(options_.noise / n_classes_), slope);
  const std::int32_t* label = &label_[block * kBlockRows];
  for (const std::int32_t node : visited_) {
    const float* reach = &reach_[node * kBlockRows];
    if (children_[2 * node] >= 0) {
      if (moves_[number_[node]])
        add_gradient(block, number_[node], slope, reach, &gate_[node * kBlockRows]);
      continue;
    }
    double* out = &share_slope_[static_cast<std::size_t>(number_[node]) * n_classes_];
    block_product(slope, reach, &value_[node * kBlockRows], of_share);
    if (same_label_[block])
      out[label[0]] += sum_of(of_share);
    else
      for (std::size_t r = 0; r < kBlockRows; ++r) out[label[r]] += of_share[r];
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
