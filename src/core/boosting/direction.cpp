#include "boosting/direction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "boosting/blocks.hpp"
#include "support/lapack.hpp"
#include "support/rng.hpp"
#include "tree/lanes.hpp"

namespace aslant {

namespace {

constexpr double kRidge = 0.01;  // relative to each feature's own moment
constexpr int kThresholdBins = 255;
// Rows that the moments of a direction are computed from, at least.
constexpr std::size_t kFewestRows = 250, kRowsPerFeature = 10, kRowFraction = 4;
// Rows that are projected together, term by term.
constexpr std::size_t kRowsTogether = 64;

// All rows, or every so-manieth one from a random one on.
std::vector<std::uint32_t> moment_rows(const std::uint32_t* rows, std::size_t n_rows,
                                       std::size_t n_features, std::uint64_t key) {
  const std::size_t enough =
      std::max({kFewestRows, kRowsPerFeature * n_features, n_rows / kRowFraction});
  const std::size_t step = n_rows <= enough ? 1 : (n_rows + enough - 1) / enough;
  std::vector<std::uint32_t> chosen;
  chosen.reserve(n_rows / step + 1);
  Rng rng(subkey(key, 1));
  const auto offset = static_cast<std::size_t>(rng.below(static_cast<int>(step)));
  for (std::size_t i = offset; i < n_rows; i += step) chosen.push_back(rows[i]);
  return chosen;
}

std::size_t padded(std::size_t n) {
  return (n + kLanes - 1) / kLanes * kLanes;
}

// Adds hessian * u u' and gradient * u of rows; `u` holds them one after the other, each padded to
// `stride`, which is a multiple of kLanes. The last row of the sums is that of the gradients.
ASLANT_MULTIVERSION
void add_moments(const double* u, const Derivatives* derivatives, std::size_t n_rows,
                 std::size_t width, std::size_t stride, double* sums) {
  for (std::size_t r = 0; r < n_rows; ++r, u += stride) {
    for (std::size_t i = 0; i <= width; ++i) {
      const double factor =
          i < width ? derivatives[r].hessian * u[i] : static_cast<double>(derivatives[r].gradient);
      const double factors[kLanes] = {factor, factor, factor, factor};
      double* row = sums + i * stride;
      for (std::size_t j = 0; j < (i < width ? i + 1 : width); j += kLanes) {
        Lanes sum;
        load_lanes(row + j, sum);
        add_products(factors, u + j, sum);
        std::memcpy(row + j, &sum, sizeof sum);
      }
    }
  }
}

// The solution of a ridge regression with moments A and b over some of the features.
std::vector<double> ridge_solution(const std::vector<double>& A, const std::vector<double>& b,
                                   const std::vector<int>& chosen) {
  const auto k = static_cast<int>(chosen.size()), width = static_cast<int>(b.size());
  double trace = 0.0;
  for (const int i : chosen) trace += A[i * width + i];
  std::vector<double> matrix(k * k), right(k);
  for (int i = 0; i < k; ++i) {
    right[i] = b[chosen[i]];
    for (int j = 0; j < k; ++j) matrix[i * k + j] = A[chosen[i] * width + chosen[j]];
    matrix[i * k + i] = (1.0 + kRidge) * matrix[i * k + i] + 1e-6 * trace / k + 1e-9;
  }
  if (!is_factored_by_cholesky(matrix, k)) return {};
  return solve_triangle(matrix, solve_triangle(matrix, right, false), true);
}

}  // namespace

ObliqueSplit DirectionFinder::find(const SplitNode& node, const Derivatives* of_row,
                                   const std::uint32_t* rows, std::size_t n_rows,
                                   const std::vector<int>& features, int max_features,
                                   std::uint64_t key) {
  ObliqueSplit split;
  const std::vector<double> w = direction(of_row, rows, n_rows, features, max_features, key);
  double largest = 0.0;
  for (const double value : w) largest = std::max(largest, std::fabs(value));
  if (!(largest > 0.0) || !std::isfinite(largest)) return split;
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double coef = w[j] / largest / binned_[features[j]].scale;
    if (coef == 0.0 || !std::isfinite(coef)) continue;
    split.features.push_back(features[j]);
    split.coef.push_back(coef);
  }
  if (split.features.size() < 2) return {};  // single features have been searched
  project(rows, n_rows, split);
  find_threshold(node, of_row, rows, n_rows, split);
  return split.gain > 0.0 ? split : ObliqueSplit{};
}

std::vector<double> DirectionFinder::direction(const Derivatives* of_row, const std::uint32_t* rows,
                                               std::size_t n_rows, const std::vector<int>& features,
                                               int max_features, std::uint64_t key) const {
  const std::size_t k = features.size(), stride = padded(k + 1);
  const std::vector<double> sums = moments(of_row, moment_rows(rows, n_rows, k, key), features);
  // The last component of a row is 1: its sums are the total hessian and gradient.
  const double* last = &sums[k * stride];
  const double* gradients = &sums[(k + 1) * stride];
  const double hessian = last[k];
  if (!(hessian > 0.0)) return {};
  std::vector<double> A(k * k), b(k);
  for (std::size_t i = 0; i < k; ++i) {
    b[i] = -(gradients[i] - gradients[k] * last[i] / hessian);
    for (std::size_t j = 0; j <= i; ++j)
      A[i * k + j] = A[j * k + i] = sums[i * stride + j] - last[i] * last[j] / hessian;
  }
  std::vector<int> all(k);
  std::iota(all.begin(), all.end(), 0);
  std::vector<double> w = ridge_solution(A, b, all);
  if (w.empty() || static_cast<int>(k) <= max_features) return w;
  // The features that contribute most keep their coefficients, which are solved for again.
  std::vector<int> kept = all;
  std::stable_sort(kept.begin(), kept.end(), [&](int i, int j) {
    return w[i] * w[i] * A[i * k + i] > w[j] * w[j] * A[j * k + j];
  });
  kept.resize(max_features);
  const std::vector<double> few = ridge_solution(A, b, kept);
  std::fill(w.begin(), w.end(), 0.0);
  for (std::size_t i = 0; i < few.size(); ++i) w[kept[i]] = few[i];
  return w;
}

std::vector<double> DirectionFinder::moments(const Derivatives* of_row,
                                             const std::vector<std::uint32_t>& rows,
                                             const std::vector<int>& features) const {
  const std::size_t k = features.size(), stride = padded(k + 1), size = (k + 2) * stride;
  const Table& table = binned_.features().table();
  std::vector<std::vector<double>> partial(n_blocks(rows.size()));
  for_blocks(pool_, rows.size(), [&](int block, std::size_t begin, std::size_t end) {
    partial[block].assign(size, 0.0);
    AlignedVector u(kRowsTogether * stride, 0.0);
    std::vector<double> x(kRowsTogether);
    std::vector<Derivatives> derivatives(kRowsTogether);
    for (; begin < end; begin += kRowsTogether) {
      const std::size_t n = std::min(kRowsTogether, end - begin);
      for (std::size_t j = 0; j < k; ++j) {
        const BinnedFeature& feature = binned_[features[j]];
        table.gather(features[j], &rows[begin], n, x.data());
        const double mean = feature.mean, factor = 1.0 / feature.scale;
        for (std::size_t r = 0; r < n; ++r)
          u[r * stride + j] = x[r] == x[r] ? (x[r] - mean) * factor : 0.0;
      }
      for (std::size_t r = 0; r < n; ++r) {
        u[r * stride + k] = 1.0;
        derivatives[r] = of_row[rows[begin + r]];
      }
      add_moments(u.data(), derivatives.data(), n, k + 1, stride, partial[block].data());
    }
  });
  for (std::size_t block = 1; block < partial.size(); ++block)
    for (std::size_t i = 0; i < size; ++i) partial[0][i] += partial[block][i];
  return partial[0];
}

// The sums have the order of LinearTest: prediction sees the same numbers.
void DirectionFinder::project(const std::uint32_t* rows, std::size_t n_rows,
                              const ObliqueSplit& split) {
  projection_.resize(std::max(projection_.size(), n_rows));
  const Table& table = binned_.features().table();
  for_blocks(pool_, n_rows, [&](int, std::size_t begin, std::size_t end) {
    double lanes[kLanes][kRowsTogether], x[kRowsTogether];
    for (; begin < end; begin += kRowsTogether) {
      const std::size_t n = std::min(kRowsTogether, end - begin);
      std::fill_n(&lanes[0][0], kLanes * kRowsTogether, 0.0);
      for (std::size_t j = 0; j < split.features.size(); ++j) {
        const BinnedFeature& feature = binned_[split.features[j]];
        const double coef = split.coef[j], fill = feature.mean;
        table.gather(split.features[j], rows + begin, n, x);
        double* lane = lanes[feature.column % kLanes];
        for (std::size_t r = 0; r < n; ++r) lane[r] += coef * (x[r] == x[r] ? x[r] : fill);
      }
      for (std::size_t r = 0; r < n; ++r)
        projection_[begin + r] = (lanes[0][r] + lanes[2][r]) + (lanes[1][r] + lanes[3][r]);
    }
  });
}

void DirectionFinder::find_threshold(const SplitNode& node, const Derivatives* of_row,
                                     const std::uint32_t* rows, std::size_t n_rows,
                                     ObliqueSplit& split) {
  const auto [low, high] = std::minmax_element(projection_.begin(), projection_.begin() + n_rows);
  const double lowest = *low, factor = kThresholdBins / (*high - lowest);
  if (!std::isfinite(factor)) return;
  bin_.resize(std::max(bin_.size(), n_rows));
  std::vector<std::vector<GradientSums>> partial(n_blocks(n_rows));
  for_blocks(pool_, n_rows, [&](int block, std::size_t begin, std::size_t end) {
    partial[block].assign(kThresholdBins, {});
    for (std::size_t i = begin; i < end; ++i) {
      const int bin =
          std::min(kThresholdBins - 1, static_cast<int>((projection_[i] - lowest) * factor));
      const Derivatives& d = of_row[rows[i]];
      bin_[i] = static_cast<std::uint8_t>(bin);
      partial[block][bin] += {d.gradient, d.hessian, 1.0, 0.0};
    }
  });
  for (std::size_t block = 1; block < partial.size(); ++block)
    for (int b = 0; b < kThresholdBins; ++b) partial[0][b] += partial[block][b];
  GradientSums left;
  int last_bin = -1;
  for (int b = 0; b + 1 < kThresholdBins; ++b) {
    if (partial[0][b].n_rows == 0.0) continue;
    left += partial[0][b];
    const GradientSums right = node.sums - left;
    if (!rules_.allows(left)) continue;
    if (!rules_.allows(right)) break;
    const double gain = gain_of(rules_, node, left, right, 0);
    if (gain <= split.gain) continue;
    split.gain = gain;
    split.left = left;
    last_bin = b;
  }
  if (last_bin < 0) return;
  // Midway between the neighbouring rows: a row near the threshold falls on the same side however
  // bins are rounded.
  double below = -std::numeric_limits<double>::infinity(), above = -below;
  for (std::size_t i = 0; i < n_rows; ++i) {
    if (bin_[i] <= last_bin)
      below = std::max(below, projection_[i]);
    else
      above = std::min(above, projection_[i]);
  }
  const double middle = below + 0.5 * (above - below);
  split.threshold = middle < above ? middle : below;
}

}  // namespace aslant
