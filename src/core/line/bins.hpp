// Bounds on the score in parts of a line, so that few breakpoints need sorting.
//
// Breakpoints are counted into bins along the line. Gini, entropy, twoing, sum minority, the sum of
// variances, the squared error and the Poisson deviance are convex in the statistics of child 0, so
// no position inside a bin, in any order of its breakpoints, scores higher than the best corner of
// the box of statistics that the bin can reach. A bin whose corners stay below a known score need
// not be sorted. Two statistics have four corners, three have eight; with more, Gini and twoing
// bound the whole box at once. Class counts are exact; the unit of the class weights them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "criteria/bin_scores.hpp"
#include "criteria/registry.hpp"
#include "data/target.hpp"
#include "line/breakpoints.hpp"
#include "line/sort_events.hpp"

namespace aslant {

// Slightly below a known score: positions of exactly that score still count.
inline double just_below(double known) {
  return known - 1e-12 * std::abs(known);
}

// Counter: the type that a bin sums, integer for counts of rows, double for regression targets.
template <class Counter>
class Bins {
 public:
  static constexpr bool kCounts = std::is_integral_v<Counter>;

  // Counts the breakpoints of a line, see LineSearch; false if they are too few or too concentrated
  // for bins to pay off.
  template <class Line>
  bool count(const Line& line, const SweepRows& rows) {
    // Bounds of many classes are loose and expensive.
    constexpr int kFewClasses = 3;
    const auto width = static_cast<std::size_t>(rows.width);
    const bool loose = kCounts && Line::kOnlyEnters && rows.width > kFewClasses;
    if (line.n < (loose ? width * Line::kFewest : Line::kFewest)) return false;
    // More statistics make a bin more expensive to bound, so it needs more rows.
    const auto worth = std::max(Line::kWorth, width);
    n_bins_ = Line::kFewestBins;
    while (n_bins_ < Line::kMostBins && n_bins_ * worth < line.n) n_bins_ *= 2;
    place_of_row_.resize(line.n);
    if (!line.find_places(n_bins_, place_of_row_.data())) return false;
    width_ = rows.width;
    unit_ = rows.unit;
    only_raises_ = kCounts && Line::kOnlyEnters;
    sums_.assign((only_raises_ ? 1 : 2) * width_ * stride(), Counter{});
    add_rows(line, rows);
    return true;
  }

  // Statistics of child 0 before the first bin: rows that leave later or never move. Regression
  // targets sum them in sort_by_effect().
  void start() {
    if constexpr (!kCounts) return;
    start_.assign(width_, 0.0);
    start_rows_ = 0;
    if (only_raises_) return;
    for (int k = 0; k < width_; ++k) {
      Counter leaving{};
      for (std::size_t b = 0; b < stride(); ++b) leaving += lowering(k)[b];
      start_[k] = static_cast<double>(leaving);
      if (rows_.empty()) start_rows_ += static_cast<std::int64_t>(leaving);
    }
    for (std::size_t b = 0; b < stride() && !rows_.empty(); ++b) start_rows_ += leaving(b);
  }
  // Adds rows that were not counted.
  void start_with(const std::vector<std::int64_t>& of_class, std::int64_t rows) {
    for (int k = 0; k < width_; ++k) start_[k] += static_cast<double>(of_class[k]);
    start_rows_ += rows;
  }

  // The best score between two bins, or the floor if that is higher. `allowed(rows, weight, bin)`
  // tells whether child 0 may have this size and hold what is left of the bin.
  template <class Criterion, class Allowed>
  double best_edge(Criterion& criterion, double floor, const Allowed& allowed) {
    find_statistics();
    double known = floor;
    if constexpr (Criterion::kBoundsBins) {
      score_.resize(n_bins_);
      criterion.score_bins({n_bins_, stride()}, before_.data(), scratch_.data(), score_.data());
      std::size_t best = 0;
      for (std::size_t b = 1; b < n_bins_; ++b) {
        if (!(score_[b] > known) || !allowed(rows_before_[b], weight_before(b), b)) continue;
        known = score_[b];
        best = b;
      }
      if (best > 0) {  // score() may round differently
        criterion.set(before(best));
        known = std::max(floor, std::min(known, criterion.score()));
      }
    } else {
      for (std::size_t b = 1; b < n_bins_; ++b) {
        criterion.set(before(b));
        if (allowed(rows_before_[b], criterion.weight0(), b) && beats(criterion, known))
          known = std::max(known, criterion.score());
      }
    }
    return known;
  }

  // Finds the bins that may beat `wanted`, and the next bin after each, whose first event ends the
  // last gap. Returns their number of events.
  template <class Criterion>
  std::size_t choose(Criterion& criterion, double wanted) {
    may_win_.resize(n_bins_);
    if constexpr (Criterion::kBoundsBins) {
      criterion.mark_bins({n_bins_, stride()}, low(0), high(0), wanted, scratch_.data(),
                          may_win_.data());
    } else {
      for (std::size_t b = 0; b < n_bins_; ++b)
        may_win_[b] = events_[b] > 0 && a_corner_beats(criterion, b, wanted);
    }
    chosen_.assign(stride(), 0);
    winners_.clear();
    for (std::size_t b = 0; b < n_bins_; ++b) {
      if (!may_win_[b] || events_[b] == 0) continue;
      std::size_t next = b + 1;
      while (next < n_bins_ && events_[next] == 0) ++next;
      winners_.push_back({b, next});
      chosen_[b] = chosen_[next] = 1;
    }
    chosen_[n_bins_] = 0;
    chosen_place_.clear();
    for (std::size_t series = 0; series < n_series(); ++series)
      chosen_place_.insert(chosen_place_.end(), chosen_.begin(), chosen_.end());
    std::size_t total = 0;
    place_.resize(stride());
    for (std::size_t b = 0; b < stride(); ++b) {
      place_[b] = static_cast<std::uint32_t>(total);
      if (b < n_bins_ && chosen_[b]) total += events_[b];
    }
    return total;
  }

  // A bin that may win, and the next nonempty one.
  struct Winner {
    std::size_t bin, next;
  };
  const std::vector<Winner>& winners() const { return winners_; }

  // The events of the chosen bins in order: bins are ordered, so only their contents are sorted.
  template <class MakeEvent>
  void sort_chosen(std::size_t n_chosen, const MakeEvent& event, EventSorter& sorter,
                   std::vector<Event>& events) {
    chosen_rows_.resize(n_chosen + 1);
    pick_rows(chosen_rows_.data());
    events.resize(n_chosen);
    for (std::size_t c = 0; c < n_chosen; ++c) {
      const std::uint32_t row = chosen_rows_[c];
      events[place_[place_of_row_[row] % stride()]++] = event(row);
    }
    for (const Winner& winner : winners_)
      sorter.sort_evenly_spread(events.data() + first_event(winner.bin),
                                events.data() + place_[winner.bin]);
  }
  // The range of events of a chosen bin.
  std::size_t first_event(std::size_t bin) const { return place_[bin] - events_[bin]; }
  std::size_t end_of_events(std::size_t bin) const { return place_[bin]; }
  std::size_t n_events(std::size_t bin) const { return bin < n_bins_ ? events_[bin] : 0; }

  // Statistics of child 0 left of a bin; valid until the next call.
  const double* before(std::size_t bin) const {
    here_.resize(width_);
    for (int k = 0; k < width_; ++k) here_[k] = before_[k * stride() + bin];
    return here_.data();
  }
  std::int64_t rows_before(std::size_t bin) const { return rows_before_[bin]; }

 private:
  // Per statistic, over all bins; the last bin holds rows that never move.
  std::size_t stride() const { return n_bins_ + 1; }
  const Counter* lowering(int k) const { return &sums_[2 * k * stride()]; }
  const Counter* raising(int k) const { return &sums_[(only_raises_ ? k : 2 * k + 1) * stride()]; }
  // Series of places.
  std::size_t n_series() const {
    return kCounts ? (only_raises_ ? 1 : 2) * static_cast<std::size_t>(width_) : 2;
  }
  double unit(int k) const { return unit_ ? unit_[k] : 1.0; }

  // Minimum and maximum of a statistic of child 0 within the bins.
  const double* low(int k) const {
    return only_raises_ ? &before_[k * stride()] : &low_[k * stride()];
  }
  const double* high(int k) const {
    return only_raises_ ? &before_[k * stride() + 1] : &high_box_[k * stride()];
  }

  // Rows of a bin that leave and enter child 0; kept only if the sums are not these counts.
  std::int32_t leaving(std::size_t bin) const { return rows_[bin]; }
  std::int32_t entering(std::size_t bin) const { return rows_[stride() + bin]; }

  // Classes: the place of a row is the index of its counter.
  template <class Line>
  void add_rows(const Line& line, const SweepRows& rows) {
    rows_.clear();
    if constexpr (!kCounts) {
      add_numbers(rows);
    } else if (rows.times == nullptr) {
      for (std::int32_t place : place_of_row_) ++sums_[place];
    } else {
      rows_.assign(2 * stride(), 0);
      const auto apart = static_cast<std::int32_t>(stride());
      for (std::size_t i = 0; i < line.n; ++i) {
        const std::int32_t place = place_of_row_[i];
        sums_[place] += static_cast<Counter>(rows.times[i]);
        // The bin, plus `apart` if the row enters.
        ++rows_[Line::kOnlyEnters ? place - (rows.label[i] - 1) * apart
                                  : place - rows.label[i] * 2 * apart];
      }
    }
  }

  // Sums of weight * target of the rows of a place: negative ones first. Branchless: the sign is
  // unpredictable.
  struct Brought {
    double sum[2] = {0.0, 0.0};
  };

  void add_numbers(const SweepRows& rows) {
    rows_.assign(2 * stride(), 0);
    brought_.assign(2 * stride(), {});
    for (std::size_t i = 0; i < place_of_row_.size(); ++i) {
      const double change = rows.weight_of(i) * rows.target[i];
      brought_[place_of_row_[i]].sum[change > 0.0 ? 1 : 0] += change;
      ++rows_[place_of_row_[i]];
    }
    if (rows.weight == nullptr)
      std::copy(rows_.begin(), rows_.end(), sums_.begin());
    else
      for (std::size_t i = 0; i < place_of_row_.size(); ++i)
        sums_[place_of_row_[i]] += rows.weight[i];
    sort_by_effect();
  }

  // A row that leaves child 0 subtracts its target: a positive one lowers the sum.
  void sort_by_effect() {
    start_.assign(2, 0.0);
    start_rows_ = 0;
    for (std::size_t b = 0; b < stride(); ++b) {
      const double *left = brought_[b].sum, *entered = brought_[stride() + b].sum;
      sums_[2 * stride() + b] = left[1] - entered[0];
      sums_[3 * stride() + b] = entered[1] - left[0];
      start_[0] += sums_[b];
      start_[1] += left[0] + left[1];
      start_rows_ += leaving(b);
    }
  }

  // Statistics of child 0 before each bin, their range within it, and the events of the bin.
  void find_statistics() {
    before_.resize(width_ * stride());
    scratch_.resize(kBinScratch * stride());
    running_.resize(stride());
    if (!only_raises_) {
      low_.resize(before_.size());
      high_box_.resize(before_.size());
    }
    events_.assign(n_bins_, 0);
    rows_before_.assign(n_bins_, 0);  // first the increments per bin
    for (int k = 0; k < width_; ++k) {
      sum_up(k);
      double* before = &before_[k * stride()];
      before[n_bins_] = unit(k) * static_cast<double>(running_[n_bins_]);
      if constexpr (kCounts) {
        const CountedBins bins{n_bins_, running_.data(), only_raises_ ? nullptr : lowering(k),
                               raising(k), unit(k)};
        find_boxes(bins, before, only_raises_ ? nullptr : &low_[k * stride()],
                   only_raises_ ? nullptr : &high_box_[k * stride()], events_.data(),
                   rows_before_.data());
      } else {
        find_box(k);
      }
    }
    count_events();
  }

  // Sums integer counts, which is fast and exact, and weights them afterwards.
  void sum_up(int k) {
    const Counter* up = raising(k);
    auto running = static_cast<Counter>(start_[k]);
    if (only_raises_) {
      for (std::size_t b = 0; b < n_bins_; ++b) {
        running_[b] = running;
        running += up[b];
      }
    } else {
      const Counter* down = lowering(k);
      for (std::size_t b = 0; b < n_bins_; ++b) {
        running_[b] = running;
        running += up[b] - down[b];
      }
    }
    running_[n_bins_] = running;
  }

  // The same as find_boxes() for sums of targets.
  void find_box(int k) {
    const Counter *down = lowering(k), *up = raising(k);
    for (std::size_t b = 0; b < n_bins_; ++b) {
      const std::size_t at = k * stride() + b;
      before_[at] = running_[b];
      low_[at] = before_[at] - down[b];
      high_box_[at] = before_[at] + up[b];
    }
  }

  void count_events() {
    for (std::size_t b = 0; b < n_bins_ && !rows_.empty(); ++b) {
      events_[b] = leaving(b) + entering(b);
      rows_before_[b] = entering(b) - leaving(b);
    }
    auto rows0 = static_cast<std::int32_t>(start_rows_);
    for (std::size_t b = 0; b < n_bins_; ++b) rows0 += std::exchange(rows_before_[b], rows0);
  }

  // Collects the rows of chosen bins, in order, into `rows`, which has room for one more.
  // Branchless: membership is unpredictable.
  void pick_rows(std::uint32_t* rows) const {
    for (std::size_t i = 0; i < place_of_row_.size(); ++i) {
      *rows = static_cast<std::uint32_t>(i);
      rows += chosen_place_[place_of_row_[i]];
    }
  }

  double weight_before(std::size_t b) const {
    if (std::is_same_v<Counter, double>) return before_[b];  // regression: the weight comes first
    double sum = 0.0;
    for (int k = 0; k < width_; ++k) sum += before_[k * stride() + b];
    return sum;
  }

  // Whether a corner of the box of a bin scores more than `wanted`.
  template <class Criterion>
  bool a_corner_beats(Criterion& criterion, std::size_t b, double wanted) const {
    here_.resize(width_);
    for (int corner = 0; corner < 1 << width_; ++corner) {
      for (int k = 0; k < width_; ++k) here_[k] = (corner >> k & 1 ? high(k) : low(k))[b];
      criterion.set(here_.data());
      if (corner_beats(criterion, wanted)) return true;
    }
    return false;
  }

  std::size_t n_bins_ = 0;
  int width_ = 0;
  const double* unit_ = nullptr;
  bool only_raises_ = false;                // counts only, and no row leaves child 0
  std::vector<std::int32_t> place_of_row_;  // see find_places
  std::vector<Counter> sums_, running_;
  std::vector<std::int32_t> rows_;  // by side and bin
  std::vector<Brought> brought_;    // by side and bin; regression only
  std::vector<double> start_;
  std::int64_t start_rows_ = 0;
  std::vector<double> before_, low_, high_box_, scratch_, score_;
  std::vector<std::int32_t> events_, rows_before_;  // by bin
  std::vector<unsigned char> may_win_, chosen_;     // by bin; never set for rows at rest
  std::vector<unsigned char> chosen_place_;         // the same by place
  std::vector<Winner> winners_;
  std::vector<std::uint32_t> place_;  // where the next event of a chosen bin goes
  std::vector<std::uint32_t> chosen_rows_;
  mutable std::vector<double> here_;
};

}  // namespace aslant
