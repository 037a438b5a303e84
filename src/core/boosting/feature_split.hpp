// The best test of one feature at a node, from its histogram.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "boosting/binned_features.hpp"
#include "boosting/gain.hpp"

namespace aslant {

// A test of one feature: bins with goes_left true, missing values too, are child 0.
struct FeatureSplit {
  double gain = 0.0;
  int feature = -1;  // -1: no split
  int last_bin = 0;  // of child 0, for numbers
  bool missing_left = false;
  std::array<bool, 256> goes_left = {};
  GradientSums left;

  bool found() const { return feature >= 0; }
};

class FeatureSplitFinder {
 public:
  FeatureSplitFinder(const BinnedFeatures& binned, const SplitRules& rules,
                     std::vector<std::int8_t> monotonic)
      : binned_(binned), rules_(rules), monotonic_(std::move(monotonic)) {}

  // The best test of the listed features; the first one of equally good ones. With a sibling, the
  // histogram is still that of the parent: the bins of a feature are subtracted when they are read.
  FeatureSplit best(const SplitNode& node, Histogram& histogram, const Histogram* sibling,
                    const std::vector<int>& features, ThreadPool& pool) const;

 private:
  struct Best;
  FeatureSplit of(int feature, const SplitNode& node, const Histogram& histogram) const;
  void scan_up(const BinnedFeature& feature, const SplitNode& node, const GradientSums* bins,
               int monotonic, FeatureSplit& best) const;
  void scan_down(const BinnedFeature& feature, const SplitNode& node, const GradientSums* bins,
                 int monotonic, FeatureSplit& best) const;
  void scan_category(const BinnedFeature& feature, const SplitNode& node, const GradientSums* bins,
                     FeatureSplit& best) const;

  const BinnedFeatures& binned_;
  SplitRules rules_;
  std::vector<std::int8_t> monotonic_;  // by feature: 1 increasing, -1 decreasing, 0
};

}  // namespace aslant
