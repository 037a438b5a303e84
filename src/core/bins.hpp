// Which parts of a line can hold its best place.
//
// The breakpoints are counted into bins along the line. Gini, entropy, twoing, sum minority and the
// sum of variances are convex functions of the class weights in child 0, so inside a bin, whatever
// the order of its breakpoints, no place scores higher than the best corner of the box "each class
// has crossed entirely or not at all". A bin whose corners do not reach a score already known need
// not be sorted. For two classes and unit weights the corners are four, and counting is exact.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "sort_events.hpp"

namespace aslant {

class Bins {
 public:
  // Counts the events; false if they are too few or too concentrated for bins to pay.
  bool count(const std::vector<Event>& events) {
    const std::size_t m = events.size();
    if (m < kFewest || !find_range(events)) return false;
    std::size_t n_bins = 64;
    while (n_bins < 2048 && n_bins * 8 < m) n_bins *= 2;
    const double scale = static_cast<double>(n_bins - 2) / (high_ - low_);
    if (!(scale < std::numeric_limits<double>::max())) return false;
    scale_ = scale;
    counts_.assign(n_bins, {0, 0, 0, 0});
    for (const Event& event : events) ++counts_[bin_at(event.at)][event.label_and_side];
    return true;
  }

  // Monotone in the position, rounding included: bins never overlap.
  std::size_t bin_at(double position) const {
    const double place = (position - low_) * scale_ + 1.0;
    return static_cast<std::size_t>(
        std::min(std::max(place, 0.0), static_cast<double>(counts_.size()) - 1.0));
  }

  std::size_t size() const { return counts_.size(); }

  // Events of a bin by label * 2 + (1 if they enter child 0).
  const std::array<std::uint32_t, 4>& counts(std::size_t bin) const { return counts_[bin]; }
  std::size_t events(std::size_t bin) const {
    const auto& c = counts_[bin];
    return std::size_t{c[0]} + c[1] + c[2] + c[3];
  }

 private:
  static constexpr std::size_t kFewest = 400;

  // The range that holds all but the tails, which go to the outermost bins.
  bool find_range(const std::vector<Event>& events) {
    constexpr std::size_t kSample = 64;
    std::array<double, kSample> sample;
    for (std::size_t i = 0; i < kSample; ++i) sample[i] = events[i * events.size() / kSample].at;
    std::sort(sample.begin(), sample.end());
    low_ = sample[1];
    high_ = sample[kSample - 2];
    return low_ < high_;
  }

  double low_ = 0.0, high_ = 0.0, scale_ = 0.0;
  std::vector<std::array<std::uint32_t, 4>> counts_;
};

}  // namespace aslant
