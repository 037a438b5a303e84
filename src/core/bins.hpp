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
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "bin_scores.hpp"
#include "breakpoints.hpp"
#include "criterion.hpp"
#include "target.hpp"

namespace aslant {

// A little less than a score that is known: places of exactly that score are still wanted.
inline double just_below(double known) {
  return known - 1e-12 * std::abs(known);
}

// Counter is what a bin sums: counts of rows, or numbers.
template <class Counter>
class Bins {
 public:
  // Counts the breakpoints of a line, see LineSearch; false if they are too few or too concentrated
  // for bins to pay.
  template <class Line>
  bool count(const Line& line, const SweepRows& rows) {
    if (line.n < kFewest || !find_range(line)) return false;
    // More statistics make a bin dearer to bound, and a bin of few rows is not worth it.
    const auto worth = static_cast<std::size_t>(std::max(8, rows.width));
    n_bins_ = 16;
    while (n_bins_ < 2048 && n_bins_ * worth < line.n) n_bins_ *= 2;
    const double per_unit = static_cast<double>(n_bins_ - 2) / (high_ - scale_.low);
    // A range that overflows or vanishes has no scale; with one, no position becomes NaN.
    if (!(per_unit > 0.0 && per_unit < std::numeric_limits<double>::max())) return false;
    scale_.per_unit = per_unit;
    scale_.last = static_cast<double>(n_bins_) - 1.0;
    width_ = rows.width;
    unit_ = rows.unit;
    sums_.assign(2 * width_ * stride(), Counter{});
    bin_of_row_.resize(line.n);
    find_bins(line.n, line.at, line.limit, scale_, bin_of_row_.data());
    add_rows(line, rows);
    return true;
  }

  std::size_t bin_at(double position) const {
    return static_cast<std::size_t>(scale_.bin_at(position));
  }

  // What child 0 holds before the first bin: the rows that will leave it, or never move. Found from
  // what was counted, where rows are.
  void start() {
    start_.assign(width_, 0.0);
    start_rows_ = 0;
    for (int k = 0; k < width_; ++k) {
      Counter leaving{};
      for (std::size_t b = 0; b < stride(); ++b) leaving += lowering(k)[b];
      start_[k] = static_cast<double>(leaving);
      if (rows_.empty()) start_rows_ += static_cast<std::int64_t>(leaving);
    }
    for (const Rows& rows : rows_) start_rows_ += rows.leaving;
  }
  void start(const std::vector<double>& statistics, std::int64_t rows) {
    start_ = statistics;
    start_rows_ = rows;
  }

  // The best score between two bins, or the floor if that is higher. `allowed(rows, weight)` tells
  // whether child 0 may hold that much.
  template <class Criterion, class Allowed>
  double best_edge(Criterion& criterion, double floor, const Allowed& allowed) {
    find_statistics();
    double known = floor;
    if constexpr (kAtOnce<Criterion>) {
      score_.resize(n_bins_);
      if constexpr (std::is_same_v<Criterion, SquaredError>)
        score_number_bins(bins_of_numbers(criterion), before_.data(), score_.data());
      else
        score_bins(bins_of<Criterion>(criterion), before_.data(), scratch_.data(), score_.data());
      for (std::size_t b = 1; b < n_bins_; ++b)
        if (score_[b] > known && allowed(rows_before_[b], weight_before(b))) known = score_[b];
    } else {
      for (std::size_t b = 1; b < n_bins_; ++b) {
        criterion.set(before(b));
        if (allowed(rows_before_[b], criterion.weight0()) && criterion.beats(known))
          known = std::max(known, criterion.score());
      }
    }
    return known;
  }

  // Chooses the bins that may beat `wanted`, and the next bin after each, whose first event ends
  // the last gap. Returns how many events they hold.
  template <class Criterion>
  std::size_t choose(Criterion& criterion, double wanted) {
    if constexpr (kAtOnce<Criterion>) may_win_.resize(n_bins_);
    if constexpr (std::is_same_v<Criterion, SquaredError>)
      mark_number_bins(bins_of_numbers(criterion), low_.data(), high_box_.data(), wanted,
                       may_win_.data());
    else if constexpr (Criterion::kBounded)
      mark_bins(bins_of<Criterion>(criterion), low_.data(), high_box_.data(), wanted,
                scratch_.data(), may_win_.data());
    chosen_.assign(n_bins_ + 1, 0);
    next_.assign(n_bins_, 0);
    std::size_t total = 0;
    const auto choose_one = [&](std::size_t b) {
      if (!chosen_[b]) total += events_[b];
      chosen_[b] = 1;
    };
    for (std::size_t b = 0; b < n_bins_; ++b) {
      if (events_[b] == 0) continue;
      if constexpr (kAtOnce<Criterion>) {
        if (!may_win_[b]) continue;
      } else {
        if (!a_corner_beats(criterion, b, wanted)) continue;
      }
      choose_one(b);
      std::size_t next = b + 1;
      while (next < n_bins_ && events_[next] == 0) ++next;
      next_[b] = next;
      if (next < n_bins_) choose_one(next);
    }
    return total;
  }

  // Puts the rows of chosen bins, in their order, into `rows`, which has room for one more. There
  // is no branch in it, as none could be foreseen.
  void pick_rows(std::uint32_t* rows) const {
    for (std::size_t i = 0; i < bin_of_row_.size(); ++i) {
      *rows = static_cast<std::uint32_t>(i);
      rows += chosen_[bin_of_row_[i]];
    }
  }

  // Of a bin that may win: the next one that is not empty.
  std::size_t next(std::size_t bin) const { return next_[bin]; }
  // What child 0 holds on the left side of a bin; valid until the next call.
  const double* before(std::size_t bin) const {
    here_.resize(width_);
    for (int k = 0; k < width_; ++k) here_[k] = before_[k * stride() + bin];
    return here_.data();
  }
  std::int64_t rows_before(std::size_t bin) const { return rows_before_[bin]; }

 private:
  static constexpr std::size_t kFewest = 100;
  // Whether all bins are scored in one pass.
  template <class Criterion>
  static constexpr bool kAtOnce = Criterion::kBounded || std::is_same_v<Criterion, SquaredError>;

  // Rows of a bin by what they do; only where they are not what is summed.
  struct Rows {
    std::uint32_t leaving = 0, entering = 0;
  };

  // Statistic after statistic, each over all bins; the last is of rows that never move.
  std::size_t stride() const { return n_bins_ + 1; }
  const Counter* lowering(int k) const { return &sums_[2 * k * stride()]; }
  const Counter* raising(int k) const { return &sums_[(2 * k + 1) * stride()]; }
  double unit(int k) const { return unit_ ? unit_[k] : 1.0; }

  // Classes: the code of a row (find_breakpoints) says which counter it belongs to.
  template <class Line>
  void add_rows(const Line& line, const SweepRows& rows) {
    rows_.clear();
    const std::size_t apart = stride();
    if constexpr (std::is_same_v<Counter, double>) {
      add_numbers(line, rows);
    } else if (rows.times == nullptr) {
      for (std::size_t i = 0; i < line.n; ++i) ++sums_[line.code(i) * apart + bin_of_row_[i]];
    } else {
      rows_.assign(apart, {});
      for (std::size_t i = 0; i < line.n; ++i) {
        sums_[line.code(i) * apart + bin_of_row_[i]] += rows.times[i];
        count_row(i, line.code(i));
      }
    }
  }
  void count_row(std::size_t row, std::uint32_t code) {
    Rows& rows = rows_[bin_of_row_[row]];
    ++(code & 1u ? rows.entering : rows.leaving);
  }

  // A row that leaves child 0 takes its number out: a positive one lowers the sum.
  template <class Line>
  void add_numbers(const Line& line, const SweepRows& rows) {
    const std::size_t apart = stride();
    rows_.assign(apart, {});
    for (std::size_t i = 0; i < line.n; ++i) {
      const std::uint32_t enters = line.code(i) & 1u;
      const double weight = rows.weight_of(i), change = weight * rows.number[i];
      const bool raises = (enters != 0) == (change > 0.0);
      sums_[enters * apart + bin_of_row_[i]] += weight;
      sums_[(raises ? 3 : 2) * apart + bin_of_row_[i]] += std::abs(change);
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

  // What child 0 holds before each bin, and may hold within it; the events of the bin.
  void find_statistics() {
    before_.resize(width_ * stride());
    low_.resize(before_.size());
    high_box_.resize(before_.size());
    scratch_.resize(3 * stride());
    for (int k = 0; k < width_; ++k) {
      const double one = unit(k);
      const Counter *down = lowering(k), *up = raising(k);
      double* before = &before_[k * stride()];
      double *low = &low_[k * stride()], *high = &high_box_[k * stride()];
      // Counts are summed as whole numbers, which is faster, and weighed afterwards.
      using Sum = std::conditional_t<std::is_same_v<Counter, double>, double, std::int64_t>;
      auto running = static_cast<Sum>(start_[k]);
      for (std::size_t b = 0; b < n_bins_; ++b) {
        before[b] = static_cast<double>(running);
        running += static_cast<Sum>(up[b]) - static_cast<Sum>(down[b]);
      }
      if (unit_ != nullptr)
        for (std::size_t b = 0; b < n_bins_; ++b) before[b] *= one;
      for (std::size_t b = 0; b < n_bins_; ++b) {
        low[b] = before[b] - one * static_cast<double>(down[b]);
        high[b] = before[b] + one * static_cast<double>(up[b]);
      }
    }
    count_events();
  }

  void count_events() {
    events_.assign(n_bins_, 0);
    rows_before_.assign(n_bins_, 0);  // first what a bin adds
    if (rows_.empty()) {
      for (int k = 0; k < width_; ++k) {
        const Counter *down = lowering(k), *up = raising(k);
        for (std::size_t b = 0; b < n_bins_; ++b) {
          events_[b] += static_cast<std::uint32_t>(down[b] + up[b]);
          rows_before_[b] += static_cast<std::int64_t>(up[b]) - static_cast<std::int64_t>(down[b]);
        }
      }
    } else {
      for (std::size_t b = 0; b < n_bins_; ++b) {
        events_[b] = rows_[b].leaving + rows_[b].entering;
        rows_before_[b] = static_cast<std::int64_t>(rows_[b].entering) - rows_[b].leaving;
      }
    }
    std::int64_t rows0 = start_rows_;
    for (std::size_t b = 0; b < n_bins_; ++b) rows0 += std::exchange(rows_before_[b], rows0);
  }

  double weight_before(std::size_t b) const {
    if (std::is_same_v<Counter, double>) return before_[b];  // of numbers: then come their sums
    double sum = 0.0;
    for (int k = 0; k < width_; ++k) sum += before_[k * stride() + b];
    return sum;
  }

  template <class Criterion>
  BinsOfClasses bins_of(const Criterion& criterion) const {
    return {n_bins_, stride(), width_, criterion.total(), std::is_same_v<Criterion, Twoing>};
  }

  BinsOfNumbers bins_of_numbers(const SquaredError& criterion) const {
    return {n_bins_, stride(), criterion.total()[0], criterion.total()[1]};
  }

  // Whether a corner of the box of a bin scores more than `wanted`.
  template <class Criterion>
  bool a_corner_beats(Criterion& criterion, std::size_t b, double wanted) const {
    here_.resize(width_);
    for (int corner = 0; corner < 1 << width_; ++corner) {
      for (int k = 0; k < width_; ++k)
        here_[k] = (corner >> k & 1 ? high_box_ : low_)[k * stride() + b];
      criterion.set(here_.data());
      if (corner_beats(criterion, wanted)) return true;
    }
    return false;
  }

  std::size_t n_bins_ = 0;
  int width_ = 0;
  const double* unit_ = nullptr;
  Scale scale_;
  double high_ = 0.0;
  std::vector<std::int32_t> bin_of_row_;
  std::vector<Counter> sums_;
  std::vector<Rows> rows_;
  std::vector<double> start_;
  std::int64_t start_rows_ = 0;
  std::vector<double> before_, low_, high_box_, scratch_, score_;
  std::vector<unsigned char> may_win_;
  std::vector<std::uint32_t> events_;
  std::vector<std::int64_t> rows_before_;
  std::vector<unsigned char> chosen_;  // by bin, and none for rows that never move
  std::vector<std::size_t> next_;
  mutable std::vector<double> here_;
};

}  // namespace aslant
