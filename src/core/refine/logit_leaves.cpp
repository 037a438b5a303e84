// Leaves with linear logits: at a leaf, the probability of class k is softmax(a . x' + m)_k, where
// a_k and m_k are the planes of the leaf: a multinomial logistic regression. With two classes there
// is one plane, the log-odds of the second class. No parameters besides the planes.

#include <algorithm>
#include <cmath>

#include "refine/kernels.hpp"
#include "refine/soft_leaves.hpp"
#include "refine/soft_tree.hpp"

namespace aslant {

namespace {

class LogitLeaves : public SoftLeaves {
 public:
  LogitLeaves(const SoftRows& rows, const std::vector<std::uint32_t>& order,
              const SoftOptions& options)
      : n_classes_(static_cast<std::size_t>(rows.n_classes)),
        first_(n_classes_ - static_cast<std::size_t>(rows.n_outputs)),
        noise_(options.noise),
        probability_(n_classes_) {
    label_.assign((order.size() + kBlockRows - 1) / kBlockRows * kBlockRows, 0);
    for (std::size_t i = 0; i < order.size(); ++i) label_[i] = rows.label[order[i]];
  }

  std::size_t n_parameters() const override { return 0; }

  void unfold(const double*) override {}

  void write_values(std::size_t block, const std::vector<Visit>& visits) override {
    const std::int32_t* label = &label_[block * kBlockRows];
    for (const Visit& visit : visits)
      for (std::size_t r = 0; r < kBlockRows; ++r) {
        predict(visit.score, r);
        visit.value[r] = probability_[label[r]];
      }
  }

  double loss(std::size_t, const float* value, const float* weight, bool same_weight,
              float* slope) override {
    return block_loss(value, weight, same_weight, static_cast<float>(1.0 - noise_),
                      static_cast<float>(noise_ / static_cast<double>(n_classes_)), slope);
  }

  // The slope of log p_y along the logit of class k is [k = y] - p_k.
  void add_slopes(std::size_t block, const Visit& visit, const float* of_log,
                  float* of_planes) override {
    const std::int32_t* label = &label_[block * kBlockRows];
    for (std::size_t r = 0; r < kBlockRows; ++r) {
      predict(visit.score, r);
      for (std::size_t k = first_; k < n_classes_; ++k) {
        const float own = static_cast<std::size_t>(label[r]) == k ? 1.0f : 0.0f;
        of_planes[(k - first_) * kBlockRows + r] = of_log[r] * (own - probability_[k]);
      }
    }
  }

  double fold(const double*, double*) const override { return 0.0; }

 private:
  // The class probabilities of a row of a block, relative to the largest logit.
  void predict(const float* score, std::size_t r) {
    const auto logit = [&](std::size_t k) {
      return k < first_ ? 0.0f : score[(k - first_) * kBlockRows + r];
    };
    float largest = logit(0), total = 0.0f;
    for (std::size_t k = 1; k < n_classes_; ++k) largest = std::max(largest, logit(k));
    for (std::size_t k = 0; k < n_classes_; ++k)
      total += probability_[k] = std::exp(logit(k) - largest);
    for (float& p : probability_) p /= total;
  }

  std::size_t n_classes_, first_;  // the first class that has a plane
  double noise_;
  std::vector<std::int32_t> label_;
  std::vector<float> probability_;
};

}  // namespace

std::unique_ptr<SoftLeaves> logit_leaves(const SoftRows& rows,
                                         const std::vector<std::uint32_t>& order,
                                         const SoftOptions& options) {
  return std::make_unique<LogitLeaves>(rows, order, options);
}

}  // namespace aslant
