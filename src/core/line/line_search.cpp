#include "line/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "line/bins.hpp"
#include "line/sort_events.hpp"
#include "line/sweep.hpp"
#include "support/workspace.hpp"

namespace aslant {

namespace {

// Rows that change side along a line, as bins and sweeps see them.
struct MovingLine : Breakpoints {
  static constexpr bool kOnlyEnters = false;
  // Fewest rows for which bins beat sorting; rows per bin.
  static constexpr std::size_t kFewest = 40, kWorth = 12;
  static constexpr std::size_t kFewestBins = 2 * RatioScale::kDoublings * 2;
  static constexpr std::size_t kMostBins = 640;

  // False if a sample gives no scale.
  bool find_places(std::size_t n_bins, std::int32_t* place) const {
    constexpr std::size_t kSample = 16;
    double distance[kSample];
    std::size_t moving = 0;
    for (std::size_t i = 0; i < kSample; ++i) {
      distance[moving] = std::abs(at(i * n / kSample));
      moving += moves(distance[moving]);
    }
    std::sort(distance, distance + moving);
    double* const end = distance + moving;
    const double* spread = std::upper_bound(distance + moving / 4, end, 0.0);
    if (spread == end) return false;
    RatioScale scale{*spread, 1};
    while (static_cast<std::size_t>(scale.n_bins()) < n_bins) ++scale.bits;
    aslant::find_places(*this, scale, place);
    return true;
  }
  Event event(std::size_t i) const {
    const double place = at(i);
    const auto code = label ? static_cast<std::uint32_t>(label[i]) * 2u : 0u;
    return {place, static_cast<std::uint32_t>(i), code | outside(i, place)};
  }
};

// A threshold on projections: all rows enter child 0, none leaves.
struct Projections {
  static constexpr bool kOnlyEnters = true;
  // Most thresholds are sought with a score to beat, which rejects most bins by one bound.
  static constexpr std::size_t kFewest = 32, kWorth = 16, kFewestBins = 16;
  static constexpr std::size_t kMostBins = 2048;

  std::size_t n;
  const double* at;
  const std::int32_t* label;  // null: regression

  // The range excludes the tails, which go to the outermost bins. A range that overflows or
  // vanishes has no scale; otherwise no position becomes NaN.
  bool find_places(std::size_t n_bins, std::int32_t* place) const {
    constexpr std::size_t kSample = 64;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double lowest = kInfinity, highest = -kInfinity;
    double low = kInfinity, high = -kInfinity;  // second lowest and second highest of the sample
    for (std::size_t i = 0; i < kSample; ++i) {
      const double u = at[i * n / kSample];
      low = std::min(low, std::max(lowest, u));
      lowest = std::min(lowest, u);
      high = std::max(high, std::min(highest, u));
      highest = std::max(highest, u);
    }
    const double per_unit = static_cast<double>(n_bins - 2) / (high - low);
    if (!(low < high && per_unit > 0.0 && per_unit < std::numeric_limits<double>::max()))
      return false;
    aslant::find_places(n, at, label, {low, per_unit, static_cast<double>(n_bins) - 1.0}, place);
    return true;
  }
  Event event(std::size_t i) const {
    const auto code = label ? static_cast<std::uint32_t>(label[i]) * 2u : 0u;
    return {at[i], static_cast<std::uint32_t>(i), code | 1u};
  }
  static bool moves(double) { return true; }
};

struct SweepBuffers {
  std::vector<Event> events;
  std::vector<double> start, child0;
  EventSorter sorter;
  Bins<std::int32_t> class_bins;
  Bins<double> target_bins;
  std::vector<Event> chosen;  // of the bins that may hold the best position
};

// One search of one line.
class LineSweep {
 public:
  LineSweep(const SweepRows& rows, CriterionKind kind, const ChildLimits& limits)
      : rows_(rows),
        kind_(kind),
        limits_(limits),
        buffers_(Workspace::get<SweepBuffers>()),
        n_all_(rows.n) {}

  std::optional<LineOptimum> along(const double* V, const double* R, double tolerance, double floor,
                                   bool ignore_sign) {
    const MovingLine line{{rows_.n, V, R, rows_.label, ignore_sign}};
    // A row that leaves child 0 is still in it at its breakpoint: the position must lie strictly
    // between two breakpoints.
    std::optional<bool> any_leaves;  // a pass over all rows, only for adjacent doubles
    const auto tied = [R, tolerance, &line, &any_leaves](const Event& a, const Event& b) {
      if (between(a.at, b.at) == a.at && !any_leaves) any_leaves = line.any_leaves();
      return (between(a.at, b.at) == a.at && *any_leaves) ||
             (b.at - a.at) * std::min(std::abs(R[a.row]), std::abs(R[b.row])) <= tolerance;
    };
    return best_position(line, tied, floor);
  }

  // The sweep has only the few rows that move; the others rest, some in child 0.
  std::optional<LineOptimum> along_few(const double* V, const double* R, const ClassCounts& resting,
                                       std::size_t n_all, double tolerance, double floor) {
    resting_ = &resting;
    n_all_ = n_all;
    return along(V, R, tolerance, floor, false);
  }

  std::optional<LineOptimum> threshold(const double* u, double tolerance, double floor) {
    const auto tied = [tolerance](const Event& a, const Event& b) {
      return b.at - a.at <= tolerance;
    };
    std::optional<LineOptimum> best =
        best_position(Projections{rows_.n, u, rows_.label}, tied, floor);
    if (best && !rows_.label && rows_.n >= Projections::kFewest)
      best->score = score_of_targets(u, best->alpha);
    return best;
  }

 private:
  // Sums of regression targets by bin differ in the last bits from sums by position. Summed by row,
  // a partition has the same score on every line and after any transformation of it.
  double score_of_targets(const double* u, double threshold) const {
    constexpr std::size_t kLanes = 4;  // independent accumulators
    const auto width = static_cast<std::size_t>(rows_.width);
    std::vector<double>& sums = buffers_.start;
    sums.assign(kLanes * width, 0.0);
    for (std::size_t i = 0; i < rows_.n; ++i) {
      const double weight = u[i] <= threshold ? rows_.weight_of(i) : 0.0;
      double* lane = &sums[i % kLanes * width];
      lane[0] += weight;
      for (std::size_t q = 1; q < width; ++q)
        lane[q] += weight * rows_.target[i * (width - 1) + q - 1];
    }
    for (std::size_t l = 1; l < kLanes; ++l)
      for (std::size_t q = 0; q < width; ++q) sums[q] += sums[l * width + q];
    return with_criterion(kind_, rows_.total, rows_.width, buffers_.child0, [&](auto criterion) {
      criterion.set(sums.data());
      return criterion.score();
    });
  }

  template <class Line, class Tied>
  std::optional<LineOptimum> best_position(const Line& line, const Tied& tied, double floor) {
    return with_criterion(kind_, rows_.total, rows_.width, buffers_.child0, [&](auto criterion) {
      RowPartition partition(criterion, rows_, limits_, n_all_);
      std::optional<LineOptimum> best;
      if (sweep_bins(criterion, partition, line, tied, floor, best)) return best;
      const std::int64_t rows0 = make_events(line);
      buffers_.sorter.sort(buffers_.events);
      return best_gap(partition, tied, just_below(floor), [&](auto& sweep) {
        partition.start(buffers_.start.data(), rows0);
        const Event* events = buffers_.events.data();
        sweep.run(events, events + buffers_.events.size());
      });
    });
  }

  // The best gap of a sweep. Skips gaps inside runs of one class, unless the gaps at the ends of a
  // run separate nothing: they are tied, or no partition has a gain.
  template <class Criterion, class Tied, class Run>
  static std::optional<LineOptimum> best_gap(RowPartition<Criterion>& partition, const Tied& tied,
                                             double floor, const Run& run) {
    for (const bool skip : {true, false}) {
      partition.skip_inside_runs(skip);
      Sweep sweep(partition, tied, floor);
      run(sweep);
      const bool open =
          sweep.refused_tie() || (floor <= 0.0 && (!sweep.best() || sweep.best()->score <= 0.0));
      if (!partition.skips_inside_runs() || !open) return sweep.best();
    }
    return std::nullopt;
  }

  // Collects all moving rows and the initial statistics of child 0. Returns its number of rows.
  template <class Line>
  std::int64_t make_events(const Line& line) {
    std::vector<double>& start = buffers_.start;
    start.assign(rows_.width, 0.0);
    std::int64_t rows0 = resting_ ? resting_->rows : 0;
    if (resting_)
      for (int k = 0; k < rows_.width; ++k)
        start[k] = static_cast<double>(resting_->of_class[k]) * rows_.unit_of(k);
    buffers_.events.resize(line.n);
    Event* next = buffers_.events.data();
    for (std::size_t i = 0; i < line.n; ++i) {
      *next = line.event(i);
      if (!Line::kOnlyEnters && !(next->label_and_side & 1u)) {
        rows_.add(i, start.data());
        ++rows0;
      }
      next += line.moves(next->at);
    }
    buffers_.events.resize(static_cast<std::size_t>(next - buffers_.events.data()));
    return rows0;
  }

  // Finds the best position by sorting only the bins that may hold it. False if bins do not apply
  // or tied breakpoints leave it open; then all rows are sorted.
  template <class Criterion, class Line, class Tied>
  bool sweep_bins(Criterion& criterion, RowPartition<Criterion>& partition, const Line& line,
                  const Tied& tied, double floor, std::optional<LineOptimum>& best) {
    if constexpr (std::is_same_v<Criterion, SquaredError>) {
      return false;  // several outputs
    } else if constexpr (kIsRegression<Criterion>) {
      return best_in(buffers_.target_bins, criterion, partition, line, tied, floor, best);
    } else {
      const bool by_corners = Criterion::kConvex && rows_.width <= 3;
      if (!rows_.countable || !(Criterion::kBoundsBins || by_corners)) return false;
      return best_in(buffers_.class_bins, criterion, partition, line, tied, floor, best);
    }
  }

  template <class BinsOf, class Criterion, class Line, class Tied>
  bool best_in(BinsOf& bins, Criterion& criterion, RowPartition<Criterion>& partition,
               const Line& line, const Tied& tied, double floor, std::optional<LineOptimum>& best) {
    if (!bins.count(line, rows_)) return false;
    bins.start();
    if constexpr (!kIsRegression<Criterion>)
      if (resting_) bins.start_with(resting_->of_class, resting_->rows);
    const double known =
        bins.best_edge(criterion, floor, [&](std::int64_t rows0, double weight0, std::size_t b) {
          return partition.allowed(rows0, weight0) &&
                 (!partition.checks_order() || partition.in_order(bins.before(b)));
        });
    const auto best_above = [&](double wanted, double sweep_floor) {
      return best_of_chosen(bins, criterion, partition, line, tied, wanted, sweep_floor);
    };
    const double wanted = just_below(known);
    best = best_above(wanted, wanted);
    if (known == floor || best) return true;
    // The best edge separates only tied rows. The best position in these bins bounds the others.
    best = best_above(wanted, kAnyScore);
    if (best) best = best_above(just_below(best->score), just_below(best->score));
    return best.has_value();
  }

  // The best position in the bins that may score above `wanted`.
  template <class BinsOf, class Criterion, class Line, class Tied>
  std::optional<LineOptimum> best_of_chosen(BinsOf& bins, Criterion& criterion,
                                            RowPartition<Criterion>& partition, const Line& line,
                                            const Tied& tied, double wanted, double floor) {
    const std::size_t n_chosen = bins.choose(criterion, wanted);
    if (n_chosen == 0) return std::nullopt;
    bins.sort_chosen(
        n_chosen, [&](std::size_t i) { return line.event(i); }, buffers_.sorter, buffers_.chosen);
    const Event* events = buffers_.chosen.data();
    return best_gap(partition, tied, floor, [&](auto& sweep) {
      for (const auto& winner : bins.winners()) {
        partition.start(bins.before(winner.bin), bins.rows_before(winner.bin));
        // The last gap ends at the first event of the next bin.
        const Event* end = events + bins.end_of_events(winner.bin);
        const std::size_t n_beyond = bins.n_events(winner.next);
        sweep.run(events + bins.first_event(winner.bin), end,
                  n_beyond > 0 ? std::min_element(end, end + n_beyond) : nullptr);
      }
    });
  }

  const SweepRows& rows_;
  CriterionKind kind_;
  const ChildLimits& limits_;
  SweepBuffers& buffers_;
  std::size_t n_all_;                     // rows, including those at rest
  const ClassCounts* resting_ = nullptr;  // rows at rest in child 0; null: the sweep has all rows
};

}  // namespace

std::optional<LineOptimum> LineSearch::along(const double* V, const double* R, double tolerance,
                                             double floor, bool ignore_sign) const {
  return LineSweep(rows_, kind_, limits_).along(V, R, tolerance, floor, ignore_sign);
}

namespace {

// The rows with V <= 0.
ClassCounts counts_inside(const SweepRows& rows, const double* V) {
  ClassCounts counts{std::vector<std::int64_t>(rows.width, 0), 0};
  if (rows.width == 2 && rows.times == nullptr) {
    const InsideOfTwo inside = count_inside(rows.n, V, rows.label);
    counts.of_class = {inside.rows - inside.second, inside.second};
    counts.rows = inside.rows;
    return counts;
  }
  for (std::size_t i = 0; i < rows.n; ++i) {
    const bool inside = V[i] <= 0.0;  // branchless: unpredictable
    counts.of_class[rows.label[i]] += inside ? rows.times_of(i) : 0;
    counts.rows += inside;
  }
  return counts;
}

}  // namespace

GatheredRows::GatheredRows(const SweepRows& all, const Span<std::uint32_t>& rows) {
  const auto pick = [&rows](const auto* from, auto& to) {
    if (from == nullptr) return;
    to.reserve(rows.size());
    for (std::uint32_t row : rows) to.push_back(from[row]);
  };
  pick(all.label, label);
  pick(all.weight, weight);
  pick(all.times, times);
}

SweepRows GatheredRows::sweep_rows(const SweepRows& all) const {
  SweepRows some = all;
  some.n = label.size();
  some.label = label.data();
  some.weight = all.weight ? weight.data() : nullptr;
  some.times = all.times ? times.data() : nullptr;
  return some;
}

std::optional<LineOptimum> LineSearch::along_few(const double* V, const MovingRows& moving,
                                                 const ClassCounts& child0, double tolerance,
                                                 double floor) const {
  struct Values {
    std::vector<double> of_moving_rows;
  };
  std::vector<double>& values = Workspace::get<Values>().of_moving_rows;
  values.resize(moving.rows.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = V[moving.rows[k]];
  const ClassCounts inside = counts_inside(moving.target, values.data());
  ClassCounts resting = child0;
  resting.rows -= inside.rows;
  for (int k = 0; k < rows_.width; ++k) resting.of_class[k] -= inside.of_class[k];
  return LineSweep(moving.target, kind_, limits_)
      .along_few(values.data(), moving.R, resting, rows_.n, tolerance, floor);
}

ClassCounts LineSearch::counts_of_child0(const double* V) const {
  return counts_inside(rows_, V);
}

void LineSearch::count(ClassCounts& counts, std::size_t row, bool enters) const {
  counts.of_class[rows_.label[row]] += enters ? rows_.times_of(row) : -rows_.times_of(row);
  counts.rows += enters ? 1 : -1;
}

std::optional<LineOptimum> LineSearch::threshold(const double* u, double tolerance,
                                                 double floor) const {
  return LineSweep(rows_, kind_, limits_).threshold(u, tolerance, floor);
}

namespace {

double random_position(double lowest, double highest, Rng& rng) {
  const double position = rng.uniform(lowest, highest);
  return position < highest ? position : lowest;
}

}  // namespace

std::optional<LineOptimum> LineSearch::random_threshold(const double* u, double tolerance,
                                                        Rng& rng) const {
  const auto [lowest, highest] = std::minmax_element(u, u + rows_.n);
  if (!(*highest - *lowest > tolerance)) return std::nullopt;
  const double threshold = random_position(*lowest, *highest, rng);
  std::vector<double>& child0 = Workspace::get<SweepBuffers>().start;
  child0.assign(rows_.width, 0.0);
  std::int64_t rows0 = 0;
  for (std::size_t i = 0; i < rows_.n; ++i) {
    if (!(u[i] <= threshold)) continue;
    ++rows0;
    rows_.add(i, child0.data());
  }
  return scored(threshold, child0, rows0);
}

// The column is not constant. If the rows at zero are in child 0, the others are subtracted.
std::optional<LineOptimum> LineSearch::random_threshold(const SparseColumn& x, Rng& rng) const {
  const auto [least, most] = std::minmax_element(x.values.begin(), x.values.end());
  const bool any_zero = x.rows.size() < rows_.n;
  const double lowest = any_zero ? std::min(*least, 0.0) : *least;
  const double highest = any_zero ? std::max(*most, 0.0) : *most;
  const double threshold = random_position(lowest, highest, rng);
  const bool zeros_inside = threshold >= 0.0;
  std::vector<double>& child0 = Workspace::get<SweepBuffers>().start;
  child0.assign(rows_.width, 0.0);
  if (zeros_inside) child0.assign(rows_.total, rows_.total + rows_.width);
  std::int64_t rows0 = zeros_inside ? static_cast<std::int64_t>(rows_.n) : 0;
  for (std::size_t e = 0; e < x.rows.size(); ++e) {
    if ((x.values[e] <= threshold) == zeros_inside) continue;
    rows0 += zeros_inside ? -1 : 1;
    zeros_inside ? rows_.subtract(x.rows[e], child0.data()) : rows_.add(x.rows[e], child0.data());
  }
  return scored(threshold, child0, rows0);
}

std::optional<LineOptimum> LineSearch::scored(double threshold, const std::vector<double>& child0,
                                              std::int64_t rows0) const {
  return with_criterion(kind_, rows_.total, rows_.width, Workspace::get<SweepBuffers>().child0,
                        [&](auto criterion) -> std::optional<LineOptimum> {
                          RowPartition partition(criterion, rows_, limits_, rows_.n);
                          partition.start(child0.data(), rows0);
                          if (!partition.allowed()) return std::nullopt;
                          return LineOptimum{threshold, criterion.score()};
                        });
}

// The rows at zero are one item between negative and positive values. After it, child 0 holds all
// rows but those of positive values.
std::optional<LineOptimum> LineSearch::threshold(const SparseColumn& x, double floor) const {
  struct Buffers {
    std::vector<Event> events;
    EventSorter sorter;
    std::vector<double> child0, empty, up_to_zero;
  };
  auto& [events, sorter, child0, empty, up_to_zero] = Workspace::get<Buffers>();
  empty.assign(rows_.width, 0.0);
  events.resize(x.rows.size());
  up_to_zero.assign(rows_.total, rows_.total + rows_.width);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const std::uint32_t row = x.rows[i];
    const std::uint32_t code = rows_.label ? static_cast<std::uint32_t>(rows_.label[row]) * 2u : 0u;
    events[i] = {x.values[i], row, code | 1u};
    if (x.values[i] > 0.0) rows_.subtract(row, up_to_zero.data());
  }
  sorter.sort(events);
  const Event *first = events.data(), *last = first + events.size();
  const Event* positive =
      std::partition_point(first, last, [](const Event& e) { return e.at < 0.0; });
  const Event zero{0.0, 0, 0};
  const auto n_zero = static_cast<std::int64_t>(rows_.n - events.size());
  // C++17 captures structured bindings only under names of their own.
  const auto sweep_of = [&, &empty = empty, &up_to_zero = up_to_zero](auto criterion) {
    RowPartition partition(criterion, rows_, limits_, rows_.n);
    partition.start(empty.data(), 0);
    const auto tied = [](const Event&, const Event&) { return false; };
    Sweep sweep(partition, tied, floor);
    if (n_zero == 0) {
      sweep.run(first, last);
      return sweep.best();
    }
    sweep.run(first, positive, &zero);
    partition.start(up_to_zero.data(), n_zero + (positive - first));
    if (positive != last) sweep.consider(zero, *positive);
    sweep.run(positive, last);
    return sweep.best();
  };
  return with_criterion(kind_, rows_.total, rows_.width, child0, sweep_of);
}

}  // namespace aslant
