// Which parts of a line can hold its best place.
//
// The breakpoints are counted into bins along the line. Gini, entropy, twoing, sum minority, the
// sum of variances, the squared error and the Poisson deviance are convex functions of the
// statistics of child 0, so inside a bin, whatever the order of its breakpoints, no place scores
// higher than the best corner of the box "each statistic has changed by all that can lower it, or
// by all that can raise it". A bin whose corners do not reach a score already known need not be
// sorted. Two statistics have four corners, three have eight; with more, Gini and twoing bound the
// whole box at once. Rows of classes are counted, which is exact, and the counts weighed by the
// unit of the class.
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
#include "target.hpp"

namespace aslant {

// A little less than a score that is known: places of exactly that score are still wanted.
inline double just_below(double known) {
  return known - 1e-12 * std::abs(known);
}

// Few statistics are the common case, for which everything is compiled once more: kWidth is 2 or 3,
// or 0 for any number. Counter is what a bin sums: counts of rows, or numbers.
template <int kWidth, class Counter>
class Bins {
 public:
  // Counts the breakpoints of a line, see LineSearch; false if they are too few or too concentrated
  // for bins to pay.
  template <class Line>
  bool count(const Line& line, const SweepRows& rows) {
    if (line.n < kFewest || !find_range(line)) return false;
    // More statistics make a bin dearer to bound, and a bin of few rows is not worth it.
    const auto worth = static_cast<std::size_t>(std::max(8, rows.width));
    std::size_t n_bins = 2 * kGroup;
    while (n_bins < 2048 && n_bins * worth < line.n) n_bins *= 2;
    const double per_unit = static_cast<double>(n_bins - 2) / (high_ - scale_.low);
    // A range that overflows or vanishes has no scale; with one, no position becomes NaN.
    if (!(per_unit > 0.0 && per_unit < std::numeric_limits<double>::max())) return false;
    scale_.per_unit = per_unit;
    scale_.last = static_cast<double>(n_bins) - 1.0;
    any_width_ = rows.width;
    unit_ = rows.unit;
    states_.assign(n_bins, {});
    sums_.assign((n_bins + 1) * both(), Counter{});  // the last is of rows that never move
    bin_of_row_.resize(line.n);
    find_bins(line.n, line.at, line.limit, scale_, bin_of_row_.data());
    add_rows(line, rows);
    return true;
  }

  std::size_t bin_at(double position) const {
    return static_cast<std::size_t>(scale_.bin_at(position));
  }

  // What child 0 holds before the first bin: the rows that will leave it, or never move.
  void start(const std::vector<double>& statistics, std::int64_t rows) {
    start_ = statistics;
    start_rows_ = rows;
  }
  // The same found from what was counted, where rows are.
  void start() {
    start_.assign(width(), 0.0);
    start_rows_ = 0;
    for (std::size_t i = 0; i < sums_.size(); i += both())
      for (int k = 0; k < width(); ++k) start_[k] += static_cast<double>(sums_[i + 2 * k]);
    for (const Rows& rows : rows_) start_rows_ += rows.leaving;
    if (rows_.empty())
      for (std::size_t i = 0; i < sums_.size(); i += both())
        for (int k = 0; k < width(); ++k)
          start_rows_ += static_cast<std::int64_t>(sums_[i + 2 * k]);
  }

  // The best score between two bins, or the floor if that is higher. `allowed(rows, weight)` tells
  // whether child 0 may hold that much. Bins are looked at in groups, most of which are ruled out
  // as one.
  template <class Criterion, class Allowed>
  double best_edge(Criterion& criterion, double floor, const Allowed& allowed) {
    open_groups_.clear();
    before_.resize(states_.size() * width());
    Statistics running = statistics(start_.data());  // counts, not yet weighed
    std::int64_t rows0 = start_rows_;
    Box group{running, running};
    double known = floor;
    for (std::size_t first = 0; first < states_.size(); first += kGroup) {
      for (int k = 0; k < width(); ++k) group.low[k] = group.high[k] = weighed(k, running[k]);
      for (std::size_t b = first; b < first + kGroup; ++b) pass(b, running, rows0, group);
      if (!may_beat(criterion, group, just_below(known))) continue;
      open_groups_.push_back(first);
      for (std::size_t b = std::max<std::size_t>(first, 1); b < first + kGroup; ++b) {
        criterion.set(before(b));
        if (allowed(states_[b].rows_before, criterion.weight0()) && criterion.beats(known))
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
    Box box{statistics(before(0)), statistics(before(0))};
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
  // What child 0 holds on the left side of a bin.
  const double* before(std::size_t bin) const { return &before_[bin * width()]; }
  std::int64_t rows_before(std::size_t bin) const { return states_[bin].rows_before; }

 private:
  static constexpr std::size_t kFewest = 100;
  static constexpr std::size_t kGroup = 8;

  using Statistics =
      std::conditional_t<(kWidth > 0), std::array<double, kWidth>, std::vector<double>>;

  // What child 0 may hold.
  struct Box {
    Statistics low, high;
  };

  struct State {
    std::uint32_t events = 0;
    bool chosen = false;
    std::size_t next = 0;
    std::int64_t rows_before = 0;
  };

  // Rows of a bin by what they do; only where they are not what is summed.
  struct Rows {
    std::uint32_t leaving = 0, entering = 0;
  };

  int width() const { return kWidth > 0 ? kWidth : any_width_; }
  // Sums of a bin: of each statistic what lowers it, then what raises it.
  std::size_t both() const { return 2 * static_cast<std::size_t>(width()); }
  const Counter* sums(std::size_t bin) const { return &sums_[bin * both()]; }
  double weighed(int k, double sum) const { return unit_ ? unit_[k] * sum : sum; }

  Statistics statistics(const double* values) const {
    Statistics result{};
    if constexpr (kWidth == 0) result.resize(width());
    std::copy(values, values + width(), result.begin());
    return result;
  }

  // Classes: the code of a row (find_breakpoints) is the place of its counter.
  template <class Line>
  void add_rows(const Line& line, const SweepRows& rows) {
    rows_.clear();
    if constexpr (std::is_same_v<Counter, double>) {
      add_numbers(line, rows);
    } else if (rows.times == nullptr) {
      for (std::size_t i = 0; i < line.n; ++i) ++sums_[place(i, line.code(i))];
    } else {
      rows_.assign(states_.size() + 1, {});
      for (std::size_t i = 0; i < line.n; ++i) {
        sums_[place(i, line.code(i))] += rows.times[i];
        count_row(i, line.code(i));
      }
    }
  }
  std::size_t place(std::size_t row, std::uint32_t code) const {
    return static_cast<std::size_t>(bin_of_row_[row]) * both() + code;
  }
  void count_row(std::size_t row, std::uint32_t code) {
    Rows& rows = rows_[bin_of_row_[row]];
    ++(code & 1u ? rows.entering : rows.leaving);
  }

  // A row that leaves child 0 takes its number out: a positive one lowers the sum.
  template <class Line>
  void add_numbers(const Line& line, const SweepRows& rows) {
    rows_.assign(states_.size() + 1, {});
    for (std::size_t i = 0; i < line.n; ++i) {
      const std::uint32_t enters = line.code(i) & 1u;
      const double weight = rows.weight_of(i), change = weight * rows.number[i];
      double* sum = &sums_[place(i, 0)];
      sum[enters] += weight;
      const bool raises = (enters != 0) == (change > 0.0);
      sum[raises ? 3 : 2] += std::abs(change);
      count_row(i, enters);
    }
  }

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

  // Moves the running statistics over a bin, and widens the box of its group.
  void pass(std::size_t b, Statistics& running, std::int64_t& rows0, Box& group) {
    const Counter* crossing = sums(b);
    double* here = &before_[b * width()];
    std::int64_t leaving = 0, entering = 0;
    for (int k = 0; k < width(); ++k) {
      const auto down = static_cast<double>(crossing[2 * k]);
      const auto up = static_cast<double>(crossing[2 * k + 1]);
      here[k] = weighed(k, running[k]);
      group.low[k] -= weighed(k, down);
      group.high[k] += weighed(k, up);
      running[k] += up - down;
      if constexpr (!std::is_same_v<Counter, double>) {
        leaving += crossing[2 * k];
        entering += crossing[2 * k + 1];
      }
    }
    if (!rows_.empty()) {
      leaving = rows_[b].leaving;
      entering = rows_[b].entering;
    }
    states_[b].events = static_cast<std::uint32_t>(leaving + entering);
    states_[b].rows_before = rows0;
    rows0 += entering - leaving;
  }

  void enclose(std::size_t b, Box& box) const {
    const Counter* crossing = sums(b);
    for (int k = 0; k < width(); ++k) {
      box.low[k] = before(b)[k] - weighed(k, static_cast<double>(crossing[2 * k]));
      box.high[k] = before(b)[k] + weighed(k, static_cast<double>(crossing[2 * k + 1]));
    }
  }

  // Whether some child 0 in the box may score more than `wanted`.
  template <class Criterion>
  static bool may_beat(Criterion& criterion, const Box& box, double wanted) {
    if constexpr (kWidth > 0) {
      for (int corner = 0; corner < 1 << kWidth; ++corner) {
        double in0[kWidth];
        for (int k = 0; k < kWidth; ++k) in0[k] = corner >> k & 1 ? box.high[k] : box.low[k];
        criterion.set(in0);
        if (corner_beats(criterion, wanted)) return true;
      }
      return false;
    } else {
      return criterion.bound(box.low.data(), box.high.data()) > wanted;
    }
  }

  int any_width_ = 0;
  const double* unit_ = nullptr;
  Scale scale_;
  double high_ = 0.0;
  std::vector<std::int32_t> bin_of_row_;
  std::vector<unsigned char> is_chosen_;  // by bin
  std::vector<Counter> sums_;
  std::vector<Rows> rows_;
  std::vector<State> states_;
  std::vector<double> start_;
  std::int64_t start_rows_ = 0;
  std::vector<double> before_;            // statistics, bin after bin
  std::vector<std::size_t> open_groups_;  // first bins of groups not ruled out
};

}  // namespace aslant
