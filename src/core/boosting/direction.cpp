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
// A direction is computed from a sample: a quarter of the rows, but at least and at most so many.
constexpr std::size_t kFewestRows = 250, kRowsPerFeature = 10, kRowFraction = 4, kMostRows = 131072;
// Larger nodes place the sample first, and all rows only if it gains enough.
constexpr std::size_t kSampledNode = 8192;
// Rows that are projected together, term by term.
constexpr std::size_t kRowsTogether = 64;

constexpr std::size_t kRowsAhead = 24;  // of prefetching
constexpr std::size_t kBins = BinnedFeatures::kMostBins + 1;

// All rows, or every so-manieth one from a random one on.
std::vector<std::uint32_t> sampled_rows(const NodeRows& rows, std::size_t n_features,
                                        std::uint64_t key) {
  const std::size_t enough = std::max(
      {kFewestRows, kRowsPerFeature * n_features, std::min(kMostRows, rows.size / kRowFraction)});
  const std::size_t step = rows.size <= enough ? 1 : (rows.size + enough - 1) / enough;
  std::vector<std::uint32_t> chosen;
  chosen.reserve(rows.size / step + 1);
  Rng rng(subkey(key, 1));
  const auto offset = static_cast<std::size_t>(rng.below(static_cast<int>(step)));
  for (std::size_t i = offset; i < rows.size; i += step) chosen.push_back(rows.number[i]);
  return chosen;
}

// Standardized means of the bins of some features, kBins of each.
std::vector<double> standardized(const BinnedFeatures& binned, const std::vector<int>& features) {
  std::vector<double> z(features.size() * kBins, 0.0);  // of missing values 0
  for (std::size_t j = 0; j < features.size(); ++j) {
    const BinnedFeature& feature = binned[features[j]];
    for (int b = 0; b < feature.n_bins; ++b)
      z[j * kBins + b] = (feature.values[b].mean - feature.mean) / feature.scale;
  }
  return z;
}

// What a bin adds to the place of a row, and to the distance between a row and its place.
struct Term {
  float value, radius;
};

std::vector<Term> terms_of(const BinnedFeatures& binned, const ObliqueSplit& split) {
  constexpr double kRoundingOfSums = 1.0 + 1e-4;
  std::vector<Term> terms(split.features.size() * kBins, {0.0f, 0.0f});
  for (std::size_t j = 0; j < split.features.size(); ++j) {
    const BinnedFeature& feature = binned[split.features[j]];
    for (int b = 0; b < feature.n_bins; ++b) {
      const BinValues& bin = feature.values[b];
      if (bin.low > bin.high) continue;  // no rows
      const double radius = std::max(bin.mean - bin.low, bin.high - bin.mean);
      terms[j * kBins + b] = {
          static_cast<float>(split.coef[j] * (bin.mean - feature.mean)),
          static_cast<float>(kRoundingOfSums * std::fabs(split.coef[j]) * radius)};
    }
  }
  return terms;
}

// Places the rows of a block on a direction, and extends [low, high] to them.
ASLANT_MULTIVERSION
void place_rows(const BinnedFeatures& binned, const std::uint32_t* rows, std::size_t n_rows,
                const std::vector<int>& features, const Term* terms, DirectionFinder::Place* places,
                float& low, float& high) {
  float lowest = low, highest = high;
  const std::uint8_t* records = binned.record(0);
  const std::size_t size = binned.record_size(), k = features.size();
  const int* feature = features.data();
  for (std::size_t i = 0; i < n_rows; ++i) {
    if (i + kRowsAhead < n_rows) ASLANT_PREFETCH(records + rows[i + kRowsAhead] * size);
    const std::uint8_t* record = records + rows[i] * size;
    float value = 0.0f, radius = 0.0f;
    for (std::size_t j = 0; j < k; ++j) {
      const Term& term = terms[j * kBins + record[feature[j]]];
      value += term.value;
      radius += term.radius;
    }
    places[i] = {value, radius, binned.derivatives(record)};
    lowest = value < lowest ? value : lowest;
    highest = value > highest ? value : highest;
  }
  low = lowest;
  high = highest;
}

// The projection of a row as LinearTest computes it: the order of the sums is that of prediction.
class ExactProjection {
 public:
  ExactProjection(const BinnedFeatures& binned, const ObliqueSplit& split)
      : table_(binned.features().table()) {
    for (int lane = 0; lane < kLanes; ++lane)
      for (std::size_t j = 0; j < split.features.size(); ++j) {
        const BinnedFeature& feature = binned[split.features[j]];
        if (feature.column % kLanes == lane)
          terms_.push_back({lane, split.features[j], split.coef[j], feature.mean});
      }
  }

  double operator()(std::uint32_t row) const {
    double lane[kLanes] = {};
    for (const LinearTerm& term : terms_) {
      const double x = table_.at(row, term.feature);
      lane[term.lane] += term.coef * (x == x ? x : term.fill);
    }
    return total(lane);
  }

 private:
  struct LinearTerm {
    int lane, feature;
    double coef, fill;
  };

  const Table& table_;
  std::vector<LinearTerm> terms_;
};

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

// Sums of rows by equal-width bins of their places.
ASLANT_MULTIVERSION
void add_places(const DirectionFinder::Place* places, float lowest, float factor,
                std::size_t n_rows, std::uint8_t* bin, GradientSums* sums) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    const auto place = static_cast<int>((places[i].value - lowest) * factor);
    bin[i] = static_cast<std::uint8_t>(place < kThresholdBins ? place : kThresholdBins - 1);
  }
  for (std::size_t i = 0; i < n_rows; ++i) {
    const Derivatives& d = places[i].derivatives;
    const Lanes row = {d.gradient, d.hessian, 1.0, 0.0};
    Lanes sum;
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

ObliqueSplit DirectionFinder::find(const SplitNode& node, const NodeRows& rows,
                                   const std::vector<int>& features, int max_features,
                                   double least_gain, std::uint64_t key, std::uint8_t* is_left) {
  ObliqueSplit split;
  const std::vector<std::uint32_t> sample = sampled_rows(rows, features.size(), key);
  const std::vector<double> w = direction(sample, features, max_features);
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
  if (rows.size > kSampledNode && !promises(node, rows, sample, least_gain, split)) return {};
  place(rows, split);
  find_threshold(node, rules_, add_to_bins(rows.size), least_gain, split);
  if (!(split.gain > least_gain)) return {};
  put_between(rows.size, split);
  divide(rows, split, is_left);
  const GradientSums right = node.sums - split.left;
  BestGain gain(rules_, node, 0, least_gain);
  if (!rules_.allows(split.left) || !rules_.allows(right) || !gain.improved_by(split.left, right))
    return {};
  split.gain = gain.gain();
  return split;
}

// Whether the direction gains enough on a sample of the rows. The gain there is too high, if
// anything, because the direction was fitted to the sample.
bool DirectionFinder::promises(const SplitNode& node, const NodeRows& rows,
                               const std::vector<std::uint32_t>& sample, double least_gain,
                               ObliqueSplit split) {
  const double fraction = static_cast<double>(sample.size()) / static_cast<double>(rows.size);
  SplitRules rules = rules_;
  rules.l2 *= fraction;
  rules.min_rows *= fraction;
  place({sample.data(), sample.size()}, split);
  const std::vector<GradientSums> bins = add_to_bins(sample.size());
  SplitNode few = node;
  few.sums = {};
  for (const GradientSums& bin : bins) few.sums += bin;
  few.value = rules.value(few.sums, node.bounds);
  find_threshold(few, rules, bins, fraction * least_gain, split);
  return split.gain > fraction * least_gain;
}

std::vector<double> DirectionFinder::direction(const std::vector<std::uint32_t>& sample,
                                               const std::vector<int>& features,
                                               int max_features) const {
  const std::size_t k = features.size(), stride = k + 1;
  const std::vector<double> sums = moments(sample, features);
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

std::vector<double> DirectionFinder::moments(const std::vector<std::uint32_t>& rows,
                                             const std::vector<int>& features) const {
  const std::size_t k = features.size(), width = k + 1, size = (width + 1) * width;
  const std::vector<double> z = standardized(binned_, features);
  std::vector<std::vector<double>> partial(n_blocks(rows.size()));
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
        if (begin + r + kRowsAhead < end)
          ASLANT_PREFETCH(binned_.record(rows[begin + r + kRowsAhead]));
        const std::uint8_t* record = binned_.record(rows[begin + r]);
        const Derivatives d = binned_.derivatives(record);
        gradient[r] = d.gradient;
        u[k * kRowsTogether + r] = 1.0;
        weighted[k * kRowsTogether + r] = d.hessian;
        for (std::size_t j = 0; j < k; ++j) {
          const double x = z[j * kBins + record[features[j]]];
          u[j * kRowsTogether + r] = x;
          weighted[j * kRowsTogether + r] = x * d.hessian;
        }
      }
      add_moments(u.data(), weighted.data(), gradient.data(), width, partial[block].data());
    }
  });
  for (std::size_t block = 1; block < partial.size(); ++block)
    for (std::size_t i = 0; i < size; ++i) partial[0][i] += partial[block][i];
  return partial[0];
}

void DirectionFinder::place(const NodeRows& rows, const ObliqueSplit& split) {
  memory_.places.resize(std::max(memory_.places.size(), rows.size));
  const std::vector<Term> terms = terms_of(binned_, split);
  std::vector<Extent> extent(n_blocks(rows.size));
  for_blocks(pool_, rows.size, [&](int block, std::size_t begin, std::size_t end) {
    Extent of_block;
    place_rows(binned_, rows.number + begin, end - begin, split.features, terms.data(),
               &memory_.places[begin], of_block.low, of_block.high);
    extent[block] = of_block;
  });
  extent_ = {};
  for (const Extent& of_block : extent) {
    extent_.add(of_block.low);
    extent_.add(of_block.high);
  }
  constexpr double kSingle = std::numeric_limits<float>::epsilon(),
                   kDouble = std::numeric_limits<double>::epsilon();
  center_ = 0.0;
  double places = 0.0, projections = 0.0;
  for (std::size_t j = 0; j < split.features.size(); ++j) {
    const BinnedFeature& feature = binned_[split.features[j]];
    center_ += split.coef[j] * feature.mean;
    const double size = std::fabs(split.coef[j]);
    const double low = feature.values.front().low, high = feature.values.back().high;
    places += size * std::max(std::fabs(low - feature.mean), std::fabs(high - feature.mean));
    projections += size * std::max(std::fabs(low), std::fabs(high));
  }
  const double n_roundings = 2.0 * static_cast<double>(split.features.size() + 4);
  doubt_ = n_roundings * (kSingle * places + kDouble * (projections + std::fabs(center_)));
}

// Sums of the placed rows by equal-width bins; none if all places are the same.
std::vector<GradientSums> DirectionFinder::add_to_bins(std::size_t n_rows) {
  const float lowest = extent_.low, factor = kThresholdBins / (extent_.high - lowest);
  if (!std::isfinite(factor)) return {};
  memory_.bin.resize(std::max(memory_.bin.size(), n_rows));
  std::vector<std::vector<GradientSums>> partial(n_blocks(n_rows));
  for_blocks(pool_, n_rows, [&](int block, std::size_t begin, std::size_t end) {
    partial[block].assign(kThresholdBins, {});
    add_places(&memory_.places[begin], lowest, factor, end - begin, &memory_.bin[begin],
               partial[block].data());
  });
  for (std::size_t block = 1; block < partial.size(); ++block)
    for (int b = 0; b < kThresholdBins; ++b) partial[0][b] += partial[block][b];
  return partial[0];
}

void DirectionFinder::find_threshold(const SplitNode& node, const SplitRules& rules,
                                     const std::vector<GradientSums>& bins, double least_gain,
                                     ObliqueSplit& split) const {
  GradientSums left;
  BestGain gain(rules, node, 0, least_gain);
  for (int b = 0; b + 1 < static_cast<int>(bins.size()); ++b) {
    if (bins[b].n_rows == 0.0) continue;
    left += bins[b];
    const GradientSums right = node.sums - left;
    if (!rules.allows(left)) continue;
    if (!rules.allows(right)) break;
    if (!gain.improved_by(left, right)) continue;
    split.gain = gain.gain();
    split.left = left;
    split.last_bin = b;
  }
}

// Puts the threshold midway between the neighboring places.
void DirectionFinder::put_between(std::size_t n_rows, ObliqueSplit& split) const {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  float below = -kInfinity, above = kInfinity;
  for (std::size_t i = 0; i < n_rows; ++i) {
    const bool is_left = memory_.bin[i] <= split.last_bin;
    below = std::max(below, is_left ? memory_.places[i].value : -kInfinity);
    above = std::min(above, is_left ? kInfinity : memory_.places[i].value);
  }
  split.threshold = 0.5 * (static_cast<double>(below) + static_cast<double>(above));
}

// Says which rows are child 0. Rows near the threshold, which is that of places so far, are
// projected as in prediction.
void DirectionFinder::divide(const NodeRows& rows, ObliqueSplit& split,
                             std::uint8_t* is_left) const {
  const double threshold = split.threshold;
  split.threshold += center_;
  const ExactProjection project(binned_, split);
  std::vector<GradientSums> moved(n_blocks(rows.size));
  for_blocks(pool_, rows.size, [&](int block, std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> doubtful;
    doubtful.resize(end - begin);
    std::size_t n_doubtful = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Place& place = memory_.places[i];
      const double distance = place.value - threshold;
      is_left[i] = distance <= 0.0;
      doubtful[n_doubtful] = static_cast<std::uint32_t>(i - begin);
      n_doubtful += std::fabs(distance) <= place.radius + doubt_;
    }
    for (std::size_t d = 0; d < n_doubtful; ++d) {
      const std::size_t i = begin + doubtful[d];
      if (d + 1 < n_doubtful)
        binned_.features().table().prefetch(rows.number[begin + doubtful[d + 1]]);
      const bool exact = project(rows.number[i]) <= split.threshold;
      if (exact == static_cast<bool>(is_left[i])) continue;
      is_left[i] = exact;
      const double sign = exact ? 1.0 : -1.0;
      const Derivatives& of_row = memory_.places[i].derivatives;
      moved[block] += {sign * of_row.gradient, sign * of_row.hessian, sign, 0.0};
    }
  });
  for (const GradientSums& of_block : moved) split.left += of_block;
}

}  // namespace aslant
