#include "boosting/feature_split.hpp"

#include <algorithm>

#include "boosting/blocks.hpp"

namespace aslant {

namespace {

// Levels with fewer rows than this are too few to be ordered by their gradients; it also shrinks
// the means by which levels are ordered. LightGBM and HistGradientBoosting have the same constant.
constexpr double kLevelSupport = 10.0;

// Fewer bins than this are not worth a second thread.
constexpr std::size_t kBinsPerThread = 2048;

// The bins [0, end) that have rows. Without branches: which ones do is unpredictable.
class OccupiedBins {
 public:
  OccupiedBins(const GradientSums* bins, int end) {
    for (int b = 0; b < end; ++b) {
      bin_[size_] = static_cast<std::uint8_t>(b);
      size_ += bins[b].n_rows != 0.0 ? 1 : 0;
    }
  }
  int size() const { return size_; }
  int operator[](int i) const { return bin_[i]; }

 private:
  int size_ = 0;
  std::array<std::uint8_t, 257> bin_;
};

}  // namespace

FeatureSplit FeatureSplitFinder::best(const SplitNode& node, Histogram& histogram,
                                      const Histogram* sibling, const std::vector<int>& features,
                                      ThreadPool& pool) const {
  const auto n = static_cast<int>(features.size());
  const int parts = histogram.size() < kBinsPerThread ? 1 : std::min(pool.size(), std::max(1, n));
  std::vector<FeatureSplit> best(parts);
  pool.for_each(parts, [&](int part) {
    for (int i = part * n / parts; i < (part + 1) * n / parts; ++i) {
      const int begin = binned_.first_bin(features[i]), end = binned_.first_bin(features[i] + 1);
      if (sibling != nullptr)
        subtract_bins(&(*sibling)[begin], static_cast<std::size_t>(end - begin), &histogram[begin]);
      const FeatureSplit split = of(features[i], node, histogram);
      if (split.found() && split.gain > best[part].gain) best[part] = split;
    }
  });
  for (int part = 1; part < parts; ++part)
    if (best[part].gain > best[0].gain) best[0] = best[part];
  return best[0];
}

FeatureSplit FeatureSplitFinder::of(int number, const SplitNode& node,
                                    const Histogram& histogram) const {
  const BinnedFeature& feature = binned_[number];
  const GradientSums* bins = &histogram[binned_.first_bin(number)];
  FeatureSplit best;
  if (feature.is_category) {
    scan_category(feature, node, bins, best);
  } else {
    scan_up(feature, node, bins, monotonic_[number], best);
    if (feature.has_missing) scan_down(feature, node, bins, monotonic_[number], best);
    if (best.gain > 0.0) {
      for (int b = 0; b <= best.last_bin; ++b) best.goes_left[b] = true;
      best.goes_left[feature.missing_bin()] = best.missing_left;
    }
  }
  if (best.gain > 0.0) best.feature = number;
  return best;
}

// Missing values are child 1; the last threshold separates them from all others.
void FeatureSplitFinder::scan_up(const BinnedFeature& feature, const SplitNode& node,
                                 const GradientSums* bins, int monotonic,
                                 FeatureSplit& best) const {
  const int end = feature.n_bins - 1 + (feature.has_missing ? 1 : 0);
  const OccupiedBins occupied(bins, end);
  GradientSums left;
  BestGain gain(rules_, node, monotonic);
  for (int i = 0; i < occupied.size(); ++i) {
    const int b = occupied[i];
    left += bins[b];
    const GradientSums right = node.sums - left;
    if (!rules_.allows(left)) continue;
    if (!rules_.allows(right)) return;
    if (!gain.improved_by(left, right)) continue;
    best.gain = gain.gain();
    best.last_bin = b;
    best.missing_left = false;
    best.left = left;
  }
}

// Missing values are child 0.
void FeatureSplitFinder::scan_down(const BinnedFeature& feature, const SplitNode& node,
                                   const GradientSums* bins, int monotonic,
                                   FeatureSplit& best) const {
  GradientSums right;
  BestGain gain(rules_, node, monotonic, best.gain);
  for (int b = feature.n_bins - 2; b >= 0; --b) {
    if (bins[b + 1].n_rows == 0.0) continue;
    right += bins[b + 1];
    const GradientSums left = node.sums - right;
    if (!rules_.allows(right)) continue;
    if (!rules_.allows(left)) return;
    if (!gain.improved_by(left, right)) continue;
    best.gain = gain.gain();
    best.last_bin = b;
    best.missing_left = true;
    best.left = left;
  }
}

// Fisher's grouping: with levels in the order of their mean gradients, the best subset is a prefix.
// The levels of child 0 are at most half of the ordered ones, from either end; levels of few rows
// are child 1. Missing values are a level.
void FeatureSplitFinder::scan_category(const BinnedFeature& feature, const SplitNode& node,
                                       const GradientSums* bins, FeatureSplit& best) const {
  struct Level {
    double mean;
    int bin;
  };
  const double rows_per_hessian = node.sums.n_rows / node.sums.hessian;
  std::vector<Level> levels;
  for (int b = 0; b < feature.n_bins + (feature.has_missing ? 1 : 0); ++b)
    if (bins[b].hessian * rows_per_hessian >= kLevelSupport)
      levels.push_back({bins[b].gradient / (bins[b].hessian + kLevelSupport), b});
  const auto n = static_cast<int>(levels.size());
  if (n < 2) return;
  std::stable_sort(levels.begin(), levels.end(),
                   [](const Level& a, const Level& b) { return a.mean < b.mean; });
  BestGain gain(rules_, node, 0);
  int best_count = 0;
  bool best_from_top = false;
  for (const bool from_top : {false, true}) {
    const int most = from_top ? (n + 1) / 2 - 1 : (n + 1) / 2;
    GradientSums left;
    for (int i = 0; i < most; ++i) {
      left += bins[levels[from_top ? n - 1 - i : i].bin];
      const GradientSums right = node.sums - left;
      if (!rules_.allows(left)) continue;
      if (!rules_.allows(right)) break;
      if (!gain.improved_by(left, right)) continue;
      best.gain = gain.gain();
      best.left = left;
      best_count = i + 1;
      best_from_top = from_top;
    }
  }
  for (int i = 0; i < best_count; ++i)
    best.goes_left[levels[best_from_top ? n - 1 - i : i].bin] = true;
  best.missing_left = feature.has_missing && best.goes_left[feature.missing_bin()];
}

}  // namespace aslant
