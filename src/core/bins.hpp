// Which parts of a line can hold its best place.
//
// The breakpoints are counted into bins along the line. Gini, entropy, twoing, sum minority and the
// sum of variances are convex functions of the class weights in child 0, so inside a bin, whatever
// the order of its breakpoints, no place scores higher than the best corner of the box "each class
// has crossed entirely or not at all". A bin whose corners do not reach a score already known need
// not be sorted. Two classes have four corners, three have eight; with more, Gini and twoing bound
// the whole box at once. Rows weigh 1, so that counting is exact.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "breakpoints.hpp"
#include "criterion.hpp"

namespace aslant {

// A little less than a score that is known: places of exactly that score are still wanted.
inline double just_below(double known) {
  return known - 1e-12 * std::abs(known);
}

// Few classes are the common case, for which everything is compiled once more: kClasses is 2 or 3,
// or 0 for any number.
template <int kClasses>
class Bins {
 public:
  // Counts the breakpoints of a line, see LineSearch::Breakpoints; false if they are too few or too
  // concentrated for bins to pay.
  template <class Line>
  bool count(const Line& line, int n_classes) {
    if (line.n < kFewest || !find_range(line)) return false;
    // More classes make a bin dearer to bound, and a bin of few rows is not worth it.
    const auto worth = static_cast<std::size_t>(std::max(8, n_classes));
    std::size_t n_bins = 2 * kGroup;
    while (n_bins < 2048 && n_bins * worth < line.n) n_bins *= 2;
    const double per_unit = static_cast<double>(n_bins - 2) / (high_ - scale_.low);
    // A range that overflows or vanishes has no scale; with one, no position becomes NaN.
    if (!(per_unit > 0.0 && per_unit < std::numeric_limits<double>::max())) return false;
    scale_.per_unit = per_unit;
    scale_.last = static_cast<double>(n_bins) - 1.0;
    any_classes_ = n_classes;
    states_.assign(n_bins, {0, 0, false});
    counts_.assign((n_bins + 1) * width(), 0);  // the last is of rows that never move
    bin_of_row_.resize(line.n);
    find_bins(line.n, line.at, line.limit, scale_, bin_of_row_.data());
    for (std::size_t i = 0; i < line.n; ++i)
      ++counts_[static_cast<std::size_t>(bin_of_row_[i]) * width() + line.code(i)];
    return true;
  }

  std::size_t bin_at(double position) const {
    return static_cast<std::size_t>(scale_.bin_at(position));
  }

  // What child 0 holds before the first bin: the rows that will leave it, or never move.
  void start(std::vector<double>& class_weight) const {
    for (std::size_t i = 0; i < counts_.size(); i += width())
      for (int k = 0; k < n_classes(); ++k) class_weight[k] += counts_[i + 2 * k];
  }

  // The best score between two bins, or the floor if that is higher. `start` is what child 0 holds
  // before the first bin, `allowed(weight)` whether it may hold that much. Bins are looked at in
  // groups, most of which are ruled out as one.
  template <class Criterion, class Allowed>
  double best_edge(Criterion& criterion, const std::vector<double>& start, double floor,
                   const Allowed& allowed) {
    open_groups_.clear();
    before_.resize(states_.size() * n_classes());
    Weights running = weights(start.data());
    Box group{running, running};
    double known = floor;
    for (std::size_t first = 0; first < states_.size(); first += kGroup) {
      group.low = group.high = running;
      for (std::size_t b = first; b < first + kGroup; ++b) pass(b, running, group);
      if (!may_beat(criterion, group, just_below(known))) continue;
      open_groups_.push_back(first);
      for (std::size_t b = std::max<std::size_t>(first, 1); b < first + kGroup; ++b) {
        criterion.set(before(b));
        if (allowed(criterion.weight0()) && criterion.beats(known))
          known = std::max(known, criterion.score());
      }
    }
    return known;
  }

  // Chooses the bins that may beat `wanted`, and the next bin after each, whose first event ends
  // the last gap. Returns how many events they hold.
  template <class Criterion>
  std::size_t choose(Criterion& criterion, double wanted) {
    std::size_t total = 0;
    Box box{weights(before(0)), weights(before(0))};
    const auto choose_one = [&](std::size_t b) {
      if (!states_[b].chosen) total += states_[b].events;
      states_[b].chosen = true;
    };
    for (std::size_t first : open_groups_)
      for (std::size_t b = first; b < first + kGroup; ++b) {
        if (states_[b].events == 0) continue;
        enclose(b, box);
        if (!may_beat(criterion, box, wanted)) continue;
        choose_one(b);
        std::size_t& next = states_[b].next;
        next = b + 1;
        while (next < states_.size() && states_[next].events == 0) ++next;
        if (next < states_.size()) choose_one(next);
      }
    return total;
  }

  // Puts the rows of chosen bins, in their order, into `rows`, which has room for one more. There
  // is no branch in it, as none could be foreseen.
  void pick_rows(std::uint32_t* rows) {
    is_chosen_.assign(states_.size() + 1, 0);
    for (std::size_t b = 0; b < states_.size(); ++b) is_chosen_[b] = states_[b].chosen;
    for (std::size_t i = 0; i < bin_of_row_.size(); ++i) {
      *rows = static_cast<std::uint32_t>(i);
      rows += is_chosen_[bin_of_row_[i]];
    }
  }

  // Of a bin that may win: the next one that is not empty.
  std::size_t next(std::size_t bin) const { return states_[bin].next; }
  // Class weights of child 0 on the left side of a bin.
  const double* before(std::size_t bin) const { return &before_[bin * n_classes()]; }

 private:
  static constexpr std::size_t kFewest = 100;
  static constexpr std::size_t kGroup = 8;

  using Weights =
      std::conditional_t<(kClasses > 0), std::array<double, kClasses>, std::vector<double>>;

  // What child 0 may hold of each class.
  struct Box {
    Weights low, high;
  };

  struct State {
    std::uint32_t events;
    std::size_t next;
    bool chosen;
  };

  int n_classes() const { return kClasses > 0 ? kClasses : any_classes_; }

  Weights weights(const double* values) const {
    Weights result{};
    if constexpr (kClasses == 0) result.resize(n_classes());
    std::copy(values, values + n_classes(), result.begin());
    return result;
  }

  // Counters of a bin: by the code of the rows, see find_breakpoints.
  std::size_t width() const { return 2 * static_cast<std::size_t>(n_classes()); }
  const std::uint32_t* counts(std::size_t bin) const { return &counts_[bin * width()]; }

  // The range that holds all but the tails, which go to the outermost bins.
  template <class Line>
  bool find_range(const Line& line) {
    constexpr std::size_t kSample = 64;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double lowest = kInfinity, highest = -kInfinity;
    double low = kInfinity, high = -kInfinity;  // second lowest and second highest of the sample
    for (std::size_t i = 0; i < kSample; ++i) {
      const double at = line.at[i * line.n / kSample];
      if (!(std::abs(at) < line.limit)) continue;
      low = std::min(low, std::max(lowest, at));
      lowest = std::min(lowest, at);
      high = std::max(high, std::min(highest, at));
      highest = std::max(highest, at);
    }
    scale_.low = low;
    high_ = high;
    return low < high;
  }

  // Moves the running class weights over a bin, and widens the box of its group.
  void pass(std::size_t b, Weights& running, Box& group) {
    const std::uint32_t* crossing = counts(b);
    double* here = &before_[b * n_classes()];
    std::uint32_t events = 0;
    for (int k = 0; k < n_classes(); ++k) {
      const std::uint32_t leaving = crossing[2 * k], entering = crossing[2 * k + 1];
      here[k] = running[k];
      group.low[k] -= leaving;
      group.high[k] += entering;
      running[k] += static_cast<double>(entering) - static_cast<double>(leaving);
      events += leaving + entering;
    }
    states_[b].events = events;
  }

  void enclose(std::size_t b, Box& box) const {
    const std::uint32_t* crossing = counts(b);
    for (int k = 0; k < n_classes(); ++k) {
      box.low[k] = before(b)[k] - crossing[2 * k];
      box.high[k] = before(b)[k] + crossing[2 * k + 1];
    }
  }

  // Whether some child 0 in the box may score more than `wanted`.
  template <class Criterion>
  static bool may_beat(Criterion& criterion, const Box& box, double wanted) {
    if constexpr (kClasses > 0) {
      for (int corner = 0; corner < 1 << kClasses; ++corner) {
        double in0[kClasses];
        for (int k = 0; k < kClasses; ++k) in0[k] = corner >> k & 1 ? box.high[k] : box.low[k];
        criterion.set(in0);
        if (criterion.one_is_empty() ? wanted < 0.0 : criterion.beats(wanted)) return true;
      }
      return false;
    } else {
      return criterion.bound(box.low.data(), box.high.data()) > wanted;
    }
  }

  int any_classes_ = 0;
  Scale scale_;
  double high_ = 0.0;
  std::vector<std::int32_t> bin_of_row_;
  std::vector<unsigned char> is_chosen_;  // by bin
  std::vector<std::uint32_t> counts_;
  std::vector<State> states_;
  std::vector<double> before_;            // class weights, bin after bin
  std::vector<std::size_t> open_groups_;  // first bins of groups not ruled out
};

}  // namespace aslant
