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
  using Counts = std::array<std::uint32_t, 4>;  // by label * 2 + (1 if the row enters child 0)
  static constexpr std::size_t kGroup = 8;      // the number of bins is a multiple of this

  // Counts the breakpoints of a line, Positions giving size(), at(i) and label_and_side(i) as in
  // Event; false if they are too few or too concentrated for bins to pay.
  template <class Positions>
  bool count(const Positions& positions) {
    const std::size_t m = positions.size();
    if (m < kFewest || !find_range(positions)) return false;
    std::size_t n_bins = 16;
    while (n_bins < 2048 && n_bins * 8 < m) n_bins *= 2;
    const double scale = static_cast<double>(n_bins - 2) / (high_ - low_);
    if (!(scale < std::numeric_limits<double>::max())) return false;
    scale_ = scale;
    last_ = static_cast<double>(n_bins) - 1.0;
    counts_.assign(n_bins, {0, 0, 0, 0});
    for (std::size_t i = 0; i < m; ++i)
      ++counts_[bin_at(positions.at(i))][positions.label_and_side(i)];
    return true;
  }

  // Monotone in the position, rounding included: bins never overlap.
  std::size_t bin_at(double position) const {
    const double place = (position - low_) * scale_ + 1.0;
    return static_cast<std::size_t>(
        static_cast<std::int32_t>(std::min(std::max(place, 0.0), last_)));
  }

  std::size_t size() const { return counts_.size(); }
  const Counts& counts(std::size_t bin) const { return counts_[bin]; }
  std::size_t events(std::size_t bin) const {
    const auto& c = counts_[bin];
    return std::size_t{c[0]} + c[1] + c[2] + c[3];
  }

 private:
  static constexpr std::size_t kFewest = 100;

  // The range that holds all but the tails, which go to the outermost bins.
  template <class Positions>
  bool find_range(const Positions& positions) {
    constexpr std::size_t kSample = 64;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double lowest = kInfinity, highest = -kInfinity;
    low_ = kInfinity, high_ = -kInfinity;  // the second lowest and second highest of the sample
    for (std::size_t i = 0; i < kSample; ++i) {
      const double at = positions.at(i * positions.size() / kSample);
      low_ = std::min(low_, std::max(lowest, at));
      lowest = std::min(lowest, at);
      high_ = std::max(high_, std::min(highest, at));
      highest = std::max(highest, at);
    }
    return low_ < high_;
  }

  double low_ = 0.0, high_ = 0.0, scale_ = 0.0, last_ = 0.0;
  std::vector<Counts> counts_;
};

}  // namespace aslant
