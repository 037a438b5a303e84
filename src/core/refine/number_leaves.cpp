// Regression leaves: outputs y_1, ..., y_K with Gaussian errors of one size for all leaves, as the
// experts of Jordan and Jacobs (1994). The density of a row at leaf l is
//   N_l = exp(-sum_k (y_k - mean_lk)^2 / (2 s^2)) / s^K,   mean_lk = a_lk . x' + m_lk,
// where a_lk and m_lk are the planes of the leaf. The loss, besides the penalties of planes, is
//   - sum_i weight_i log(sum over leaves of the probability of reaching them times N_l)
//   + noise_prior (K log s + least_noise^2 / (2 s^2)).
// The last term acts as one more row with error `least_noise`: s stays positive. Parameter: log s.

#include <algorithm>
#include <cmath>

#include "refine/kernels.hpp"
#include "refine/soft_leaves.hpp"
#include "refine/soft_tree.hpp"

namespace aslant {

namespace {

constexpr double kNowhere = -1e300;      // greatest log density where no leaf is reached
constexpr double kLargestLogNoise = 50;  // of either sign

class NumberLeaves : public SoftLeaves {
 public:
  NumberLeaves(const SoftRows& rows, const std::vector<std::uint32_t>& order,
               const SoftOptions& options)
      : n_outputs_(static_cast<std::size_t>(rows.n_outputs)),
        prior_(options.noise_prior),
        least_noise_(options.least_noise) {
    const std::size_t n_blocks = (order.size() + kBlockRows - 1) / kBlockRows;
    target_.assign(n_blocks * n_outputs_ * kBlockRows, 0.0f);
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t k = 0; k < n_outputs_; ++k)
        target_[((i / kBlockRows) * n_outputs_ + k) * kBlockRows + i % kBlockRows] =
            static_cast<float>(rows.numbers[order[i] * n_outputs_ + k]);
  }

  std::size_t n_parameters() const override { return 1; }

  void unfold(const double* parameters) override {
    const double log_noise = std::min(std::max(*parameters, -kLargestLogNoise), kLargestLogNoise);
    precision_ = std::exp(-2.0 * log_noise);
    log_of_scale_ = static_cast<double>(n_outputs_) * log_noise;
    noise_slope_ = 0.0;
  }

  void write_values(std::size_t block, const std::vector<Visit>& visits) override {
    log_density_.resize(visits.size() * kBlockRows);
    std::fill_n(greatest_, kBlockRows, kNowhere);
    for (std::size_t v = 0; v < visits.size(); ++v) {
      double* log_density = &log_density_[v * kBlockRows];
      write_squares(block, visits[v].score, log_density);
      for (std::size_t r = 0; r < kBlockRows; ++r) {
        log_density[r] = -0.5 * log_density[r] * precision_ - log_of_scale_;
        if (visits[v].reach[r] > 0.0f) greatest_[r] = std::max(greatest_[r], log_density[r]);
      }
    }
    // Relative to the best leaf of each row, so that none underflows.
    for (std::size_t v = 0; v < visits.size(); ++v)
      for (std::size_t r = 0; r < kBlockRows; ++r)
        visits[v].value[r] =
            visits[v].reach[r] > 0.0f
                ? static_cast<float>(std::exp(log_density_[v * kBlockRows + r] - greatest_[r]))
                : 0.0f;
  }

  double loss(std::size_t, const float* value, const float* weight, bool, float* slope) override {
    double loss = 0.0;
    for (std::size_t r = 0; r < kBlockRows; ++r) {
      slope[r] = 0.0f;
      if (!(weight[r] > 0.0f && value[r] > 0.0f)) continue;
      loss -= weight[r] * (std::log(static_cast<double>(value[r])) + greatest_[r]);
      slope[r] = -weight[r] / value[r];
    }
    return loss;
  }

  void add_slopes(std::size_t block, const Visit& visit, const float* of_log,
                  float* of_planes) override {
    double squares[kBlockRows];
    write_squares(block, visit.score, squares);
    for (std::size_t r = 0; r < kBlockRows; ++r)
      noise_slope_ += of_log[r] * (squares[r] * precision_ - static_cast<double>(n_outputs_));
    for (std::size_t k = 0; k < n_outputs_; ++k) {
      const float* y = &target_[(block * n_outputs_ + k) * kBlockRows];
      for (std::size_t r = 0; r < kBlockRows; ++r)
        of_planes[k * kBlockRows + r] =
            of_log[r] * (y[r] - visit.score[k * kBlockRows + r]) * static_cast<float>(precision_);
    }
  }

  double fold(const double* parameters, double* gradient) const override {
    const double pseudo = least_noise_ * least_noise_ * precision_;
    const auto n_outputs = static_cast<double>(n_outputs_);
    *gradient = noise_slope_ + prior_ * (n_outputs - pseudo);
    return prior_ * (n_outputs * *parameters + 0.5 * pseudo);
  }

 private:
  // Squared errors of the rows at a leaf, summed over outputs.
  void write_squares(std::size_t block, const float* score, double* squares) const {
    std::fill_n(squares, kBlockRows, 0.0);
    for (std::size_t k = 0; k < n_outputs_; ++k) {
      const float* y = &target_[(block * n_outputs_ + k) * kBlockRows];
      for (std::size_t r = 0; r < kBlockRows; ++r) {
        const double error = static_cast<double>(y[r]) - score[k * kBlockRows + r];
        squares[r] += error * error;
      }
    }
  }

  std::size_t n_outputs_;
  double prior_, least_noise_;
  std::vector<float> target_;  // per block, output and row
  double precision_ = 1.0, log_of_scale_ = 0.0, noise_slope_ = 0.0;
  std::vector<double> log_density_;  // per visited leaf and row of a block
  double greatest_[kBlockRows];
};

}  // namespace

std::unique_ptr<SoftLeaves> number_leaves(const SoftRows& rows,
                                          const std::vector<std::uint32_t>& order,
                                          const SoftOptions& options) {
  return std::make_unique<NumberLeaves>(rows, order, options);
}

}  // namespace aslant
