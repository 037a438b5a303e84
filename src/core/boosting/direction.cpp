#include "boosting/direction.hpp"

#include <algorithm>
#include <array>
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
constexpr std::size_t kFewestRows = 250, kRowsPerFeature = 10, kRowFraction = 4, kMostRows = 8192;
// Larger nodes place samples first, and all rows only if these gain such a part of what is needed:
// less than all of it, because samples are noisy.
constexpr std::size_t kSampledNode = 2048;
constexpr double kLeastPromise = 0.25;
constexpr std::size_t kThinning = 4;  // these samples relative to that of the direction
// Rows whose moments are added together.
constexpr std::size_t kRowsTogether = 64;

constexpr std::size_t kRowsAhead = 24, kDoubtfulAhead = 6;  // of prefetching
constexpr std::size_t kBins = BinnedFeatures::kMostBins + 1;

// Every step-th row of a node from an offset on.
struct Sample {
  std::size_t offset, step;

  std::vector<std::uint32_t> of(const NodeRows& rows) const {
    std::vector<std::uint32_t> chosen;
    chosen.reserve(rows.size / step + 1);
    for (std::size_t i = offset; i < rows.size; i += step) chosen.push_back(rows.number[i]);
    return chosen;
  }
};

// The rows that a direction is computed from.
Sample random_sample(std::size_t n_rows, std::size_t n_features, std::uint64_t key) {
  const std::size_t enough = std::max(
      {kFewestRows, kRowsPerFeature * n_features, std::min(kMostRows, n_rows / kRowFraction)});
  const std::size_t step = n_rows <= enough ? 1 : (n_rows + enough - 1) / enough;
  Rng rng(subkey(key, 1));
  return {static_cast<std::size_t>(rng.below(static_cast<int>(step))), step};
}

// Standardized means of the bins of some features, kBins of each.
std::vector<double> standardized(const BinnedFeatures& binned, const std::vector<int>& features) {
  std::vector<double> z(features.size() * kBins, 0.0);  // of missing values 0
  for (std::size_t j = 0; j < features.size(); ++j) {
    const BinnedFeature& feature = binned[features[j]];
    for (int b = 0; b < feature.n_bins; ++b) z[j * kBins + b] = feature.values[b].standardized;
  }
  return z;
}

// A direction has bins of equal width as far from its mean as this; the first and the last one have
// what is farther away. Positions are parts of a bin.
constexpr double kDeviations = 4.0;
constexpr int kPartsOfBin = 16, kMostPosition = kThresholdBins * kPartsOfBin - 1;
// A place has its position in the upper bits and its radius in the lower ones.
constexpr int kRadiusBits = 12, kWidestRadius = (1 << kRadiusBits) - 1;
constexpr double kFarthest = 1 << 18;
constexpr int kPartsKept = 4, kMostKept = 255;  // radii are kept in units of several parts

// Where places of rows go.
struct PlaceOutput {
  std::uint16_t* position;
  std::uint8_t* radius;
  GradientSums* sums;  // by bin of the direction
};

// Adds rows to the bins of their positions; kRows at once share what is read of a term.
template <std::size_t kRows>
ASLANT_INLINE void place_some(const BinnedFeatures& binned, const std::uint32_t* rows,
                              const std::vector<int>& features, const std::int32_t* terms,
                              std::size_t place, const PlaceOutput& out) {
  const std::uint8_t* record[kRows];
  std::int32_t sum[kRows];
  for (std::size_t r = 0; r < kRows; ++r) {
    record[r] = binned.record(rows[place + r]);
    sum[r] = 0;
  }
  for (const int feature : features) {
    for (std::size_t r = 0; r < kRows; ++r) sum[r] += terms[record[r][feature]];
    terms += kBins;
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    const int position = std::min(std::max(sum[r] >> kRadiusBits, 0), kMostPosition);
    const int radius = (sum[r] & kWidestRadius) / kPartsKept + 1;
    out.position[place + r] = static_cast<std::uint16_t>(position);
    out.radius[place + r] = static_cast<std::uint8_t>(std::min(radius, kMostKept));
    const Derivatives d = binned.derivatives(record[r]);
    const Lanes row = {d.gradient, d.hessian, 1.0, 0.0};
    double* bin = &out.sums[position / kPartsOfBin].gradient;
    Lanes total;
    load_lanes(bin, total);
    total += row;
    std::memcpy(bin, &total, sizeof total);
  }
}

ASLANT_MULTIVERSION
void place_rows(const BinnedFeatures& binned, const std::uint32_t* rows, std::size_t n_rows,
                const std::vector<int>& features, const std::int32_t* terms,
                const PlaceOutput& out) {
  constexpr std::size_t kTogether = 4;
  std::size_t i = 0;
  for (; i + kTogether + kRowsAhead <= n_rows; i += kTogether) {
    for (std::size_t r = 0; r < kTogether; ++r)
      ASLANT_PREFETCH(binned.record(rows[i + r + kRowsAhead]));
    place_some<kTogether>(binned, rows, features, terms, i, out);
  }
  for (; i < n_rows; ++i) place_some<1>(binned, rows, features, terms, i, out);
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

GradientSums total_of(const std::vector<GradientSums>& bins) {
  GradientSums total;
  for (const GradientSums& bin : bins) total += bin;
  return total;
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
  const Sample sample = random_sample(rows.size, features.size(), key);
  const Direction found = direction(sample.of(rows), features, max_features);
  std::vector<double> center;
  double largest = 0.0;
  for (const double value : found.coef) largest = std::max(largest, std::fabs(value));
  if (!(largest > 0.0) || !std::isfinite(largest)) return split;
  for (std::size_t j = 0; j < found.coef.size(); ++j) {
    const double coef = found.coef[j] / largest / binned_[features[j]].scale;
    if (coef == 0.0 || !std::isfinite(coef)) continue;
    split.features.push_back(features[j]);
    split.coef.push_back(coef);
    center.push_back(found.center[j]);
  }
  if (split.features.size() < 2) return {};  // single features have been searched
  const Places where = places(split, center, found.deviation / largest);
  if (where.terms.empty()) return {};
  if (rows.size > kSampledNode) {
    const std::size_t step = kThinning * sample.step;
    const Sample first{sample.offset, step},
        second{(sample.offset + sample.step / 2) % sample.step, step};
    if (!promises(node, rows, first.of(rows), second.of(rows), where, least_gain, split)) return {};
  }
  const std::vector<GradientSums> bins = add_to_bins(rows, split, where);
  find_threshold(node, rules_, bins, least_gain, split);
  if (!(split.gain > least_gain)) return {};
  // Midway between the last bin of child 0 and the next one that has rows.
  int next = split.last_bin + 1;
  while (bins[next].n_rows == 0.0) ++next;
  const int threshold = kPartsOfBin * (split.last_bin + 1 + next) / 2;
  split.threshold = where.lowest + where.unit * threshold;
  divide(rows, threshold, where, split, is_left);
  const GradientSums right = node.sums - split.left;
  BestGain gain(rules_, node, 0, least_gain);
  if (!rules_.allows(split.left) || !rules_.allows(right) || !gain.improved_by(split.left, right))
    return {};
  split.gain = gain.gain();
  return split;
}

// Whether the direction gains enough on a second sample of the rows, with the threshold and the
// values of the first. Values and gradients of the same rows would share their noise, which among
// so many thresholds looks like a gain.
bool DirectionFinder::promises(const SplitNode& node, const NodeRows& rows,
                               const std::vector<std::uint32_t>& first,
                               const std::vector<std::uint32_t>& second, const Places& places,
                               double least_gain, ObliqueSplit split) {
  const double fraction = static_cast<double>(first.size()) / static_cast<double>(rows.size);
  SplitRules rules = rules_;
  rules.l2 *= fraction;
  rules.min_rows *= fraction;
  const std::vector<GradientSums> bins = add_to_bins({first.data(), first.size()}, split, places);
  SplitNode few = node;
  few.sums = total_of(bins);
  few.value = rules.value(few.sums, node.bounds);
  find_threshold(few, rules, bins, 0.0, split);
  if (!(split.gain > 0.0)) return false;
  const std::vector<GradientSums> others =
      add_to_bins({second.data(), second.size()}, split, places);
  const GradientSums all = total_of(others);
  GradientSums left;
  for (int b = 0; b <= split.last_bin; ++b) left += others[b];
  const double value_left = rules.value(split.left, node.bounds);
  const double value_right = rules.value(few.sums - split.left, node.bounds);
  const double gain = all.gradient * few.value - left.gradient * value_left -
                      (all.gradient - left.gradient) * value_right;
  return gain > kLeastPromise * fraction * least_gain;
}

DirectionFinder::Direction DirectionFinder::direction(const std::vector<std::uint32_t>& sample,
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
  Direction found;
  std::vector<double>& w = found.coef;
  w = ridge_solution(A, b, all);
  if (w.empty()) return {};
  if (static_cast<int>(k) > max_features) {
    // The features that contribute most keep their coefficients, which are solved for again.
    std::vector<int> kept = all;
    std::stable_sort(kept.begin(), kept.end(), [&](int i, int j) {
      return w[i] * w[i] * A[i * k + i] > w[j] * w[j] * A[j * k + j];
    });
    kept.resize(max_features);
    const std::vector<double> few = ridge_solution(A, b, kept);
    std::fill(w.begin(), w.end(), 0.0);
    for (std::size_t i = 0; i < few.size(); ++i) w[kept[i]] = few[i];
  }
  double variance = 0.0;
  for (std::size_t i = 0; i < k; ++i) {
    const BinnedFeature& feature = binned_[features[i]];
    found.center.push_back(feature.mean + feature.scale * last[i] / hessian);
    for (std::size_t j = 0; j < k; ++j) variance += w[i] * w[j] * A[i * k + j] / hessian;
  }
  found.deviation = std::sqrt(std::max(variance, 0.0));
  return found;
}

std::vector<double> DirectionFinder::moments(const std::vector<std::uint32_t>& rows,
                                             const std::vector<int>& features) const {
  const std::size_t k = features.size(), width = k + 1, size = (width + 1) * width;
  const std::vector<double> z = standardized(binned_, features);
  std::vector<std::vector<double>> partial(n_blocks(rows.size()));
  for_blocks(pool_, rows.size(), [&](int block, std::size_t begin, std::size_t end) {
    partial[block].assign(size, 0.0);
    AlignedVector u(width * kRowsTogether), weighted(u.size());
    AlignedVector gradient(kRowsTogether), hessian(kRowsTogether);
    std::array<const std::uint8_t*, kRowsTogether> record;
    std::fill_n(&u[k * kRowsTogether], kRowsTogether, 1.0);
    for (; begin < end; begin += kRowsTogether) {
      const std::size_t n = std::min(kRowsTogether, end - begin);
      for (std::size_t r = 0; r < kRowsTogether; ++r) {
        if (begin + r + kRowsTogether < end)
          ASLANT_PREFETCH(binned_.record(rows[begin + r + kRowsTogether]));
        record[r] = binned_.record(rows[begin + std::min(r, n - 1)]);
        const Derivatives d = binned_.derivatives(record[r]);
        gradient[r] = r < n ? d.gradient : 0.0;  // rows beyond the last add nothing
        hessian[r] = r < n ? d.hessian : 0.0;
      }
      for (std::size_t j = 0; j < k; ++j)
        for (std::size_t r = 0; r < kRowsTogether; ++r)
          u[j * kRowsTogether + r] = z[j * kBins + record[r][features[j]]];
      for (std::size_t j = 0; j < width; ++j)
        for (std::size_t r = 0; r < kRowsTogether; ++r)
          weighted[j * kRowsTogether + r] = u[j * kRowsTogether + r] * hessian[r];
      add_moments(u.data(), weighted.data(), gradient.data(), width, partial[block].data());
    }
  });
  for (std::size_t block = 1; block < partial.size(); ++block)
    for (std::size_t i = 0; i < size; ++i) partial[0][i] += partial[block][i];
  return partial[0];
}

// What the bins of a feature add, in parts, for a coefficient per part: positions from `center` on.
void DirectionFinder::add_terms(const BinnedFeature& feature, double coef, double center,
                                double farthest, int widest, std::int32_t* terms) {
  for (int b = 0; b <= feature.n_bins; ++b) {
    const bool is_missing = b == feature.n_bins;
    if (!is_missing && !feature.values[b].has_rows()) continue;
    const double x = is_missing ? feature.mean : feature.values[b].mean;
    const double radius = is_missing ? 0.0 : feature.values[b].radius;
    const double at = coef * (x - center);
    double wide = std::fabs(coef) * radius + 1.0;
    if (!(std::fabs(at) < farthest)) wide = widest;
    terms[b] = static_cast<int>(std::min(std::max(at, -farthest), farthest)) * (kWidestRadius + 1) +
               static_cast<int>(std::min(wide, static_cast<double>(widest)));
  }
}

// No terms if rounding errors are all there is.
DirectionFinder::Places DirectionFinder::places(const ObliqueSplit& split,
                                                const std::vector<double>& center,
                                                double deviation) const {
  const auto k = static_cast<int>(split.features.size());
  Places where;
  where.unit = 2.0 * kDeviations * deviation / (kThresholdBins * kPartsOfBin);
  where.lowest = -kDeviations * deviation;
  const int widest = std::min(kWidestRadius / k, kMostKept * kPartsKept);
  where.anywhere = widest / kPartsKept;
  double size = 0.0;
  for (int j = 0; j < k; ++j) {
    const BinnedFeature& feature = binned_[split.features[j]];
    size += std::fabs(split.coef[j]) * (feature.most + std::fabs(feature.mean));
    where.lowest += split.coef[j] * center[j];
  }
  const double rounding =
      2.0 * (k + 4) * std::numeric_limits<double>::epsilon() * size / where.unit;
  if (!(rounding < kMostPosition)) return where;
  where.doubt = k + 2 + static_cast<int>(rounding);
  where.terms.assign(k * kBins, 0);
  for (int j = 0; j < k; ++j)
    add_terms(binned_[split.features[j]], split.coef[j] / where.unit, center[j], kFarthest / k,
              widest, &where.terms[j * kBins]);
  // The position of the center.
  for (std::size_t b = 0; b < kBins; ++b)
    where.terms[b] += (kMostPosition + 1) / 2 * (kWidestRadius + 1);
  return where;
}

// Sums of the rows by bins of the direction.
std::vector<GradientSums> DirectionFinder::add_to_bins(const NodeRows& rows,
                                                       const ObliqueSplit& split,
                                                       const Places& places) {
  memory_.position.resize(std::max(memory_.position.size(), rows.size));
  memory_.radius.resize(memory_.position.size());
  std::vector<std::vector<GradientSums>> partial(n_blocks(rows.size));
  for_blocks(pool_, rows.size, [&](int block, std::size_t begin, std::size_t end) {
    partial[block].assign(kThresholdBins, {});
    place_rows(binned_, rows.number + begin, end - begin, split.features, places.terms.data(),
               {&memory_.position[begin], &memory_.radius[begin], partial[block].data()});
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

// Says which rows are child 0. Rows near the threshold are projected as in prediction.
void DirectionFinder::divide(const NodeRows& rows, int threshold, const Places& places,
                             ObliqueSplit& split, std::uint8_t* is_left) const {
  const ExactProjection project(binned_, split);
  std::vector<GradientSums> moved(n_blocks(rows.size));
  for_blocks(pool_, rows.size, [&](int block, std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> doubtful(end - begin);
    std::size_t n_doubtful = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const int distance = memory_.position[i] - threshold, radius = memory_.radius[i];
      is_left[i] = distance < 0;
      doubtful[n_doubtful] = static_cast<std::uint32_t>(i - begin);
      n_doubtful +=
          (std::abs(distance) <= radius * kPartsKept + places.doubt) | (radius >= places.anywhere);
    }
    for (std::size_t d = 0; d < n_doubtful; ++d) {
      const std::size_t i = begin + doubtful[d];
      if (d + kDoubtfulAhead < n_doubtful)
        binned_.features().table().prefetch(rows.number[begin + doubtful[d + kDoubtfulAhead]]);
      const bool exact = project(rows.number[i]) <= split.threshold;
      if (exact == static_cast<bool>(is_left[i])) continue;
      is_left[i] = exact;
      const double sign = exact ? 1.0 : -1.0;
      const Derivatives of_row = binned_.derivatives(binned_.record(rows.number[i]));
      moved[block] += {sign * of_row.gradient, sign * of_row.hessian, sign, 0.0};
    }
  });
  for (const GradientSums& of_block : moved) split.left += of_block;
}

}  // namespace aslant
