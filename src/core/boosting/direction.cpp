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

// The features of some rows of a dense table; the rows that are read next are asked for.
template <class T>
class RowReader {
 public:
  RowReader(const Table& table, const std::vector<int>& features) : table_(table) {
    for (const int j : features) offset_.push_back(j * table.feature_stride);
    const auto [low, high] = std::minmax_element(offset_.begin(), offset_.end());
    first_ = *low;
    last_ = *high;
  }

  const char* row(std::uint32_t number) const { return table_.data + number * table_.row_stride; }
  double value(const char* row, std::size_t j) const {
    return static_cast<double>(*reinterpret_cast<const T*>(row + offset_[j]));
  }
  void ask_for(std::uint32_t number) const {
    if (table_.feature_stride != sizeof(T)) return;
    constexpr std::ptrdiff_t kCacheLine = 64;
    const char* end = row(number) + last_;
    for (const char* place = row(number) + first_; place < end; place += kCacheLine)
      ASLANT_PREFETCH(place);
    ASLANT_PREFETCH(end);
  }

 private:
  const Table& table_;
  std::vector<std::ptrdiff_t> offset_;
  std::ptrdiff_t first_ = 0, last_ = 0;
};

template <class Body>
void with_reader(const Table& table, const std::vector<int>& features, const Body& body) {
  if (table.single_precision)
    body(RowReader<float>(table, features));
  else
    body(RowReader<double>(table, features));
}

constexpr std::size_t kRowsAhead = 16;

// Adds hessian * u u' and gradient * u. `u` holds columns of kRowsTogether rows, `weighted` the
// same times the hessians, `gradient` one column. The last row of the sums is that of the
// gradients.
ASLANT_MULTIVERSION
void add_moments(const double* u, const double* weighted, const double* gradient, std::size_t width,
                 double* sums) {
  for (std::size_t i = 0; i <= width; ++i) {
    const double* a = i < width ? weighted + i * kRowsTogether : gradient;
    const std::size_t end = i < width ? i + 1 : width;
    for (std::size_t j = 0; j < end; j += 4) {
      // Four columns at once, so that their sums do not wait for each other.
      const double* b[4];
      for (std::size_t c = 0; c < 4; ++c) b[c] = u + std::min(j + c, width - 1) * kRowsTogether;
      Lanes sum[4] = {};
      for (std::size_t r = 0; r < kRowsTogether; r += kLanes)
        for (std::size_t c = 0; c < 4; ++c) add_products(a + r, b[c] + r, sum[c]);
      for (std::size_t c = 0; c < 4 && j + c < end; ++c) sums[i * width + j + c] += total(sum[c]);
    }
  }
}

// Sums of rows by equal-width bins of their projections.
ASLANT_MULTIVERSION
void add_to_bins(const double* projection, double lowest, double factor, const Derivatives* of_row,
                 const std::uint32_t* rows, std::size_t n_rows, std::uint8_t* bin,
                 GradientSums* sums) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    const auto place = static_cast<int>((projection[i] - lowest) * factor);
    bin[i] = static_cast<std::uint8_t>(place < kThresholdBins ? place : kThresholdBins - 1);
  }
  for (std::size_t i = 0; i < n_rows; ++i) {
    const Derivatives& d = of_row[rows[i]];
    const double added[kLanes] = {d.gradient, d.hessian, 1.0, 0.0};
    Lanes row, sum;
    load_lanes(added, row);
    load_lanes(&sums[bin[i]].gradient, sum);
    sum += row;
    std::memcpy(&sums[bin[i]].gradient, &sum, sizeof sum);
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
  const std::size_t k = features.size(), stride = k + 1;
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
  const std::size_t k = features.size(), width = k + 1, size = (width + 1) * width;
  std::vector<double> mean, factor;
  for (const int j : features) {
    mean.push_back(binned_[j].mean);
    factor.push_back(1.0 / binned_[j].scale);
  }
  std::vector<std::vector<double>> partial(n_blocks(rows.size()));
  with_reader(binned_.features().table(), features, [&](const auto& reader) {
    for_blocks(pool_, rows.size(), [&](int block, std::size_t begin, std::size_t end) {
      partial[block].assign(size, 0.0);
      // Rows beyond the last are zeros.
      AlignedVector u(width * kRowsTogether), weighted(u.size()), gradient(kRowsTogether);
      for (; begin < end; begin += kRowsTogether) {
        const std::size_t n = std::min(kRowsTogether, end - begin);
        if (n < kRowsTogether) {
          std::fill(u.begin(), u.end(), 0.0);
          std::fill(weighted.begin(), weighted.end(), 0.0);
          std::fill(gradient.begin(), gradient.end(), 0.0);
        }
        for (std::size_t r = 0; r < n; ++r) {
          if (begin + r + kRowsAhead < end) reader.ask_for(rows[begin + r + kRowsAhead]);
          const char* row = reader.row(rows[begin + r]);
          const Derivatives& d = of_row[rows[begin + r]];
          gradient[r] = d.gradient;
          u[k * kRowsTogether + r] = 1.0;
          weighted[k * kRowsTogether + r] = d.hessian;
          for (std::size_t j = 0; j < k; ++j) {
            const double x = reader.value(row, j);
            const double z = x == x ? (x - mean[j]) * factor[j] : 0.0;
            u[j * kRowsTogether + r] = z;
            weighted[j * kRowsTogether + r] = z * d.hessian;
          }
        }
        add_moments(u.data(), weighted.data(), gradient.data(), width, partial[block].data());
      }
    });
  });
  for (std::size_t block = 1; block < partial.size(); ++block)
    for (std::size_t i = 0; i < size; ++i) partial[0][i] += partial[block][i];
  return partial[0];
}

// The sums have the order of LinearTest: prediction sees the same numbers.
void DirectionFinder::project(const std::uint32_t* rows, std::size_t n_rows,
                              const ObliqueSplit& split) {
  memory_.projection.resize(std::max(memory_.projection.size(), n_rows));
  std::vector<Extent> extent(n_blocks(n_rows));
  // Terms by lane, in the order of the columns.
  std::vector<std::size_t> terms;
  std::size_t lane_end[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    for (std::size_t j = 0; j < split.features.size(); ++j)
      if (binned_[split.features[j]].column % kLanes == l) terms.push_back(j);
    lane_end[l] = terms.size();
  }
  std::vector<int> features;
  std::vector<double> coef, fill;
  for (const std::size_t j : terms) {
    features.push_back(split.features[j]);
    coef.push_back(split.coef[j]);
    fill.push_back(binned_[features.back()].mean);
  }
  with_reader(binned_.features().table(), features, [&](const auto& reader) {
    for_blocks(pool_, n_rows, [&](int block, std::size_t begin, std::size_t end) {
      Extent of_block;
      for (std::size_t i = begin; i < end; ++i) {
        if (i + kRowsAhead < end) reader.ask_for(rows[i + kRowsAhead]);
        const char* row = reader.row(rows[i]);
        double lane[kLanes] = {};
        std::size_t j = 0;
        for (int l = 0; l < kLanes; ++l)
          for (; j < lane_end[l]; ++j) {
            const double x = reader.value(row, j);
            lane[l] += coef[j] * (x == x ? x : fill[j]);
          }
        memory_.projection[i] = total(lane);
        of_block.add(memory_.projection[i]);
      }
      extent[block] = of_block;
    });
  });
  extent_ = {};
  for (const Extent& of_block : extent) {
    extent_.add(of_block.low);
    extent_.add(of_block.high);
  }
}

void DirectionFinder::find_threshold(const SplitNode& node, const Derivatives* of_row,
                                     const std::uint32_t* rows, std::size_t n_rows,
                                     ObliqueSplit& split) {
  const double lowest = extent_.low, factor = kThresholdBins / (extent_.high - lowest);
  if (!std::isfinite(factor)) return;
  memory_.bin.resize(std::max(memory_.bin.size(), n_rows));
  std::vector<std::vector<GradientSums>> partial(n_blocks(n_rows));
  for_blocks(pool_, n_rows, [&](int block, std::size_t begin, std::size_t end) {
    partial[block].assign(kThresholdBins, {});
    add_to_bins(&memory_.projection[begin], lowest, factor, of_row, rows + begin, end - begin,
                &memory_.bin[begin], partial[block].data());
  });
  for (std::size_t block = 1; block < partial.size(); ++block)
    for (int b = 0; b < kThresholdBins; ++b) partial[0][b] += partial[block][b];
  GradientSums left;
  BestGain gain(rules_, node, 0);
  int last_bin = -1;
  for (int b = 0; b + 1 < kThresholdBins; ++b) {
    if (partial[0][b].n_rows == 0.0) continue;
    left += partial[0][b];
    const GradientSums right = node.sums - left;
    if (!rules_.allows(left)) continue;
    if (!rules_.allows(right)) break;
    if (!gain.improved_by(left, right)) continue;
    split.gain = gain.gain();
    split.left = left;
    last_bin = b;
  }
  if (last_bin < 0) return;
  // Midway between the neighbouring rows: a row near the threshold falls on the same side however
  // bins are rounded.
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double below = -kInfinity, above = kInfinity;
  for (std::size_t i = 0; i < n_rows; ++i) {
    const bool is_left = memory_.bin[i] <= last_bin;
    below = std::max(below, is_left ? memory_.projection[i] : -kInfinity);
    above = std::min(above, is_left ? kInfinity : memory_.projection[i]);
  }
  const double middle = below + 0.5 * (above - below);
  split.threshold = middle < above ? middle : below;
}

}  // namespace aslant
