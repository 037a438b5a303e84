#include "boosting/loss.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "boosting/blocks.hpp"

namespace aslant {

namespace {

constexpr double kLeastShare = 2.2e-16;  // of a class that only other rows have
constexpr double kLeastMean = 1e-300;    // where a logarithm is taken

double weighted_mean(const LossRows& rows) {
  double sum = 0.0, weight = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sum += rows.weight_of(i) * rows.y[i];
    weight += rows.weight_of(i);
  }
  return sum / weight;
}

// A quantile by linear interpolation; with weights, the first value that has enough weight up to
// it.
double quantile_of(std::vector<double> values, const std::vector<double>& weight, double fraction) {
  if (weight.empty()) {
    const double place = fraction * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(place);
    std::nth_element(values.begin(), values.begin() + low, values.end());
    const double below = values[low];
    if (low + 1 == values.size()) return below;
    const double above = *std::min_element(values.begin() + low + 1, values.end());
    return below + (place - static_cast<double>(low)) * (above - below);
  }
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  const double wanted = fraction * std::accumulate(weight.begin(), weight.end(), 0.0);
  double sum = 0.0;
  for (const std::size_t i : order) {
    sum += weight[i];
    if (sum >= wanted && sum > 0.0) return values[i];
  }
  return values[order.back()];
}

Derivatives weighted(double gradient, double hessian, double weight) {
  return {static_cast<float>(weight * gradient), static_cast<float>(weight * hessian)};
}

class SquaredErrorLoss : public Loss {
 public:
  SquaredErrorLoss() : Loss(1) {}
  std::vector<double> baseline(const LossRows& rows) const override {
    return {weighted_mean(rows)};
  }

 protected:
  double of_row(double y, const double* raw, std::size_t) const override {
    return 0.5 * (y - *raw) * (y - *raw);
  }
  void derive_row(double y, const double* raw, std::size_t, double weight,
                  Derivatives* out) const override {
    *out = weighted(*raw - y, 1.0, weight);
  }
};

// The check function, whose minimum is a quantile. With 1/2 and twice the size it is the absolute
// error.
class PinballLoss : public Loss {
 public:
  PinballLoss(double quantile, double factor) : Loss(1), quantile_(quantile), factor_(factor) {}
  std::vector<double> baseline(const LossRows& rows) const override {
    return {quantile_of(rows.y, rows.weight, quantile_)};
  }
  bool has_newton_leaves() const override { return false; }
  double leaf_value(std::vector<double> rest, const std::vector<double>& weight) const override {
    return quantile_of(std::move(rest), weight, quantile_);
  }

 protected:
  double of_row(double y, const double* raw, std::size_t) const override {
    return factor_ * (y >= *raw ? quantile_ * (y - *raw) : (1.0 - quantile_) * (*raw - y));
  }
  void derive_row(double y, const double* raw, std::size_t, double weight,
                  Derivatives* out) const override {
    *out = weighted(factor_ * (y >= *raw ? -quantile_ : 1.0 - quantile_), 1.0, weight);
  }

 private:
  double quantile_, factor_;
};

// Half the PoissonLoss deviance of exp(raw).
class PoissonLoss : public Loss {
 public:
  PoissonLoss() : Loss(1) {}
  std::vector<double> baseline(const LossRows& rows) const override {
    return {std::log(std::max(weighted_mean(rows), kLeastMean))};
  }

 protected:
  double of_row(double y, const double* raw, std::size_t) const override {
    return std::exp(*raw) - y * *raw;
  }
  void derive_row(double y, const double* raw, std::size_t, double weight,
                  Derivatives* out) const override {
    const double mean = std::exp(*raw);
    *out = weighted(mean - y, mean, weight);
  }
};

// Half the gamma deviance of exp(raw).
class GammaLoss : public Loss {
 public:
  GammaLoss() : Loss(1) {}
  std::vector<double> baseline(const LossRows& rows) const override {
    return {std::log(std::max(weighted_mean(rows), kLeastMean))};
  }

 protected:
  double of_row(double y, const double* raw, std::size_t) const override {
    return *raw + y * std::exp(-*raw);
  }
  void derive_row(double y, const double* raw, std::size_t, double weight,
                  Derivatives* out) const override {
    const double ratio = y * std::exp(-*raw);
    *out = weighted(1.0 - ratio, ratio, weight);
  }
};

// Log-loss of two classes; raw is the log-odds of the second.
class BinomialLoss : public Loss {
 public:
  BinomialLoss() : Loss(1) {}
  std::vector<double> baseline(const LossRows& rows) const override {
    const double share = std::min(std::max(weighted_mean(rows), kLeastShare), 1.0 - kLeastShare);
    return {std::log(share / (1.0 - share))};
  }

 protected:
  double of_row(double y, const double* raw, std::size_t) const override {
    return std::max(*raw, 0.0) + std::log1p(std::exp(-std::fabs(*raw))) - y * *raw;
  }
  void derive_row(double y, const double* raw, std::size_t, double weight,
                  Derivatives* out) const override {
    const double odds = std::exp(-std::fabs(*raw)), one = 1.0 / (1.0 + odds);
    const double share = *raw >= 0.0 ? one : odds * one;
    *out = weighted(share - y, odds * one * one, weight);
  }
};

// Log-loss of several classes, each with an output.
class MultinomialLoss : public Loss {
 public:
  explicit MultinomialLoss(int n_classes) : Loss(n_classes) {}
  std::vector<double> baseline(const LossRows& rows) const override {
    std::vector<double> share(n_outputs(), 0.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
      share[static_cast<std::size_t>(rows.y[i])] += rows.weight_of(i);
    const double total = std::accumulate(share.begin(), share.end(), 0.0);
    for (double& s : share)
      s = std::log(std::min(std::max(s / total, kLeastShare), 1.0 - kLeastShare));
    const double mean = std::accumulate(share.begin(), share.end(), 0.0) / n_outputs();
    for (double& s : share) s -= mean;
    return share;
  }

 protected:
  double of_row(double y, const double* raw, std::size_t stride) const override {
    const double top = highest(raw, stride);
    double sum = 0.0;
    for (int k = 0; k < n_outputs(); ++k) sum += std::exp(raw[k * stride] - top);
    return std::log(sum) + top - raw[static_cast<std::size_t>(y) * stride];
  }
  void derive_row(double y, const double* raw, std::size_t stride, double weight,
                  Derivatives* out) const override {
    const double top = highest(raw, stride);
    thread_local std::vector<double> share;
    share.resize(n_outputs());
    double sum = 0.0;
    for (int k = 0; k < n_outputs(); ++k) sum += share[k] = std::exp(raw[k * stride] - top);
    for (int k = 0; k < n_outputs(); ++k) {
      const double p = share[k] / sum;
      out[k * stride] = weighted(p - (k == static_cast<int>(y) ? 1.0 : 0.0), p * (1.0 - p), weight);
    }
  }

 private:
  double highest(const double* raw, std::size_t stride) const {
    double top = raw[0];
    for (int k = 1; k < n_outputs(); ++k) top = std::max(top, raw[k * stride]);
    return top;
  }
};

}  // namespace

std::unique_ptr<Loss> Loss::make(const std::string& name, double quantile, int n_outputs) {
  if (name == "squared_error") return std::make_unique<SquaredErrorLoss>();
  if (name == "absolute_error") return std::make_unique<PinballLoss>(0.5, 2.0);
  if (name == "quantile") return std::make_unique<PinballLoss>(quantile, 1.0);
  if (name == "poisson") return std::make_unique<PoissonLoss>();
  if (name == "gamma") return std::make_unique<GammaLoss>();
  if (name == "log_loss" && n_outputs == 1) return std::make_unique<BinomialLoss>();
  if (name == "log_loss") return std::make_unique<MultinomialLoss>(n_outputs);
  throw std::invalid_argument("unknown loss " + name);
}

double Loss::mean(const LossRows& rows, const double* raw, ThreadPool& pool) const {
  std::vector<double> loss(n_blocks(rows.size())), weight(loss.size());
  for_blocks(pool, rows.size(), [&](int block, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      loss[block] += rows.weight_of(i) * of_row(rows.y[i], raw + i, rows.size());
      weight[block] += rows.weight_of(i);
    }
  });
  return std::accumulate(loss.begin(), loss.end(), 0.0) /
         std::accumulate(weight.begin(), weight.end(), 0.0);
}

void Loss::derive(const LossRows& rows, const double* raw, Derivatives* out,
                  ThreadPool& pool) const {
  for_blocks(pool, rows.size(), [&](int, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      derive_row(rows.y[i], raw + i, rows.size(), rows.weight_of(i), out + i);
  });
}

}  // namespace aslant
