// Leaves with class probabilities: the value for a row is the probability of its own class.
// Parameters: the logits of each leaf.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "refine/kernels.hpp"
#include "refine/soft_leaves.hpp"
#include "refine/soft_tree.hpp"

namespace aslant {

namespace {

double sum_of(const float* values) {
  float lane[4] = {};
  for (std::size_t r = 0; r < kBlockRows; ++r) lane[r % 4] += values[r];
  return static_cast<double>((lane[0] + lane[2]) + (lane[1] + lane[3]));
}

class ClassLeaves : public SoftLeaves {
 public:
  ClassLeaves(const SoftRows& rows, const std::vector<std::uint32_t>& order, std::size_t n_leaves,
              const SoftOptions& options)
      : n_leaves_(n_leaves),
        n_classes_(static_cast<std::size_t>(rows.n_classes)),
        noise_(options.noise),
        prior_(options.prior) {
    const std::size_t n_blocks = (order.size() + kBlockRows - 1) / kBlockRows;
    label_.assign(n_blocks * kBlockRows, 0);
    same_label_.assign(n_blocks, 1);
    for (std::size_t i = 0; i < order.size(); ++i) {
      label_[i] = rows.label[order[i]];
      if (label_[i] != label_[i - i % kBlockRows]) same_label_[i / kBlockRows] = 0;
    }
  }

  std::size_t n_parameters() const override { return n_leaves_ * n_classes_; }

  void unfold(const double* parameters) override {
    share_.resize(n_leaves_ * n_classes_);
    for (std::size_t l = 0; l < n_leaves_; ++l) {
      const double* own = parameters + l * n_classes_;
      double* share = &share_[l * n_classes_];
      const double largest = *std::max_element(own, own + n_classes_);
      double total = 0.0;
      for (std::size_t k = 0; k < n_classes_; ++k) total += share[k] = std::exp(own[k] - largest);
      for (std::size_t k = 0; k < n_classes_; ++k) share[k] /= total;
    }
    share_slope_.assign(share_.size(), 0.0);
  }

  void write_values(std::size_t block, const std::vector<Visit>& visits) override {
    const std::int32_t* label = &label_[block * kBlockRows];
    for (const Visit& visit : visits) {
      const double* share = &share_[visit.leaf * n_classes_];
      if (same_label_[block])
        std::fill_n(visit.value, kBlockRows, static_cast<float>(share[label[0]]));
      else
        for (std::size_t r = 0; r < kBlockRows; ++r)
          visit.value[r] = static_cast<float>(share[label[r]]);
    }
  }

  double loss(std::size_t, const float* value, const float* weight, bool same_weight,
              float* slope) override {
    return block_loss(value, weight, same_weight, static_cast<float>(1.0 - noise_),
                      static_cast<float>(noise_ / static_cast<double>(n_classes_)), slope);
  }

  void add_slopes(std::size_t block, const Visit& visit, const float* of_log, float*) override {
    const std::int32_t* label = &label_[block * kBlockRows];
    double* out = &share_slope_[visit.leaf * n_classes_];
    if (same_label_[block])
      out[label[0]] += sum_of(of_log);
    else
      for (std::size_t r = 0; r < kBlockRows; ++r) out[label[r]] += of_log[r];
  }

  double fold(const double*, double* gradient) const override {
    const auto n_classes = static_cast<double>(n_classes_);
    double penalty = 0.0;
    for (std::size_t l = 0; l < n_leaves_; ++l) {
      const double* share = &share_[l * n_classes_];
      const double* own = &share_slope_[l * n_classes_];
      const double total = std::accumulate(own, own + n_classes_, 0.0);
      for (std::size_t k = 0; k < n_classes_; ++k) {
        penalty -= prior_ / n_classes * std::log(std::max(share[k], 1e-300));
        gradient[l * n_classes_ + k] =
            own[k] - share[k] * total - prior_ / n_classes + prior_ * share[k];
      }
    }
    return penalty;
  }

 private:
  std::size_t n_leaves_, n_classes_;
  double noise_, prior_;
  std::vector<std::int32_t> label_;
  std::vector<char> same_label_;     // per block: whether all its rows have one label
  std::vector<double> share_;        // softmax of the logits
  std::vector<double> share_slope_;  // along the log shares
};

}  // namespace

std::unique_ptr<SoftLeaves> class_leaves(const SoftRows& rows,
                                         const std::vector<std::uint32_t>& order,
                                         std::size_t n_leaves, const SoftOptions& options) {
  return std::make_unique<ClassLeaves>(rows, order, n_leaves, options);
}

}  // namespace aslant
