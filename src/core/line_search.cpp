#include "line_search.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "bins.hpp"
#include "sort_events.hpp"

namespace aslant {

namespace {

// Rows that change side along a line, as bins and sweeps see them.
struct MovingLine : Breakpoints {
  static constexpr bool kOnlyEnters = false;
  // Rows below which sorting them all is faster; rows that are worth a bin.
  static constexpr std::size_t kFewest = 40, kWorth = 12;
  static constexpr std::size_t kFewestBins = 2 * RatioScale::kDoublings * 2;
  static constexpr std::size_t kMostBins = 640;

  // False if no sample shows how far apart they are.
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

// A threshold on projections: all rows enter child 0, none ever leaves it.
struct Projections {
  static constexpr bool kOnlyEnters = true;
  // Thresholds are mostly sought with a score to beat, which bins refuse at once: one bound is all
  // that most bins need.
  static constexpr std::size_t kFewest = 32, kWorth = 16, kFewestBins = 16;
  static constexpr std::size_t kMostBins = 2048;

  std::size_t n;
  const double* at;
  const std::int32_t* label;  // null: numbers

  // The range holds all but the tails, which go to the outermost bins. A range that overflows or
  // vanishes has no scale; with one, no position becomes NaN.
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

// What is in child 0 at alpha = minus infinity.
struct Start {
  std::vector<double> statistics;
  std::int64_t rows = 0;
};

// Kept from one search to the next, one set per thread: no allocation inside a search.
struct Buffers {
  std::vector<Event> events;
  Start start;
  std::vector<double> child0;
  EventSorter sorter;
  Bins<std::int32_t> class_bins;
  Bins<double> number_bins;
  std::vector<Event> chosen;  // of the bins that may win
};

Buffers& thread_buffers() {
  static thread_local Buffers buffers;
  return buffers;
}

template <class Criterion>
constexpr bool kOfNumbers = std::is_base_of_v<NumberSums, Criterion>;

// The middle, or the lower end where no double lies between: "<= alpha" still separates.
double between(double low, double high) {
  const double middle = low + (high - low) / 2.0;
  return middle < high ? middle : low;
}

// One search of one line.
class Sweep {
 public:
  Sweep(const SweepRows& rows, CriterionKind kind, const ChildLimits& limits)
      : rows_(rows), kind_(kind), limits_(limits), buffers_(thread_buffers()), n_all_(rows.n) {
    for (int k = 0; k < (rows.label ? rows.width : 1); ++k) total_weight_ += rows.total[k];
  }

  std::optional<LineOptimum> along(const double* V, const double* R, double tolerance, double floor,
                                   bool ignore_sign) {
    const MovingLine line{{rows_.n, V, R, rows_.label, ignore_sign}};
    // At its breakpoint a row that leaves child 0 is still in it: then a place strictly between two
    // breakpoints is needed.
    const auto tied = [R, tolerance, &line](const Event& a, const Event& b) {
      return (between(a.at, b.at) == a.at && line.any_leaves()) ||
             (b.at - a.at) * std::min(std::abs(R[a.row]), std::abs(R[b.row])) <= tolerance;
    };
    return best_place(line, tied, floor);
  }

  // Few rows move, and these are all that this sweep has; the others rest, some in child 0.
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
    return best_place(Projections{rows_.n, u, rows_.label}, tied, floor);
  }

 private:
  template <class Line, class Tied>
  std::optional<LineOptimum> best_place(const Line& line, const Tied& tied, double floor) {
    return with_criterion(kind_, rows_.total, rows_.width, buffers_.child0, [&](auto criterion) {
      std::optional<LineOptimum> best;
      if (sweep_bins(criterion, line, tied, floor, best)) return best;
      make_events(line);
      buffers_.sorter.sort(buffers_.events);
      criterion.set(buffers_.start.statistics.data());
      return sweep(criterion, tied);
    });
  }

  // All rows that move, and what child 0 holds before the first does.
  template <class Line>
  void make_events(const Line& line) {
    Start& start = buffers_.start;
    start.statistics.assign(rows_.width, 0.0);
    start.rows = resting_ ? resting_->rows : 0;
    if (resting_)
      for (int k = 0; k < rows_.width; ++k)
        start.statistics[k] = static_cast<double>(resting_->of_class[k]) * rows_.unit_of(k);
    buffers_.events.resize(line.n);
    Event* next = buffers_.events.data();
    for (std::size_t i = 0; i < line.n; ++i) {
      *next = line.event(i);
      if (!Line::kOnlyEnters && !(next->label_and_side & 1u)) add_to_start(i, start);
      next += line.moves(next->at);
    }
    buffers_.events.resize(static_cast<std::size_t>(next - buffers_.events.data()));
  }

  void add_to_start(std::size_t row, Start& start) const {
    const double weight = rows_.weight_of(row);
    ++start.rows;
    if (rows_.label) {
      start.statistics[rows_.label[row]] += weight;
      return;
    }
    start.statistics[0] += weight;
    for (int q = 1; q < rows_.width; ++q) start.statistics[q] += weight * number(row)[q - 1];
  }

  bool allowed(std::int64_t rows0, double weight0) const {
    return limits_.allow_both(rows0, weight0, static_cast<std::int64_t>(n_all_), total_weight_);
  }

  // Finds the best place by sorting only the bins that can hold it. False if bins do not apply, or
  // if tied breakpoints leave the question open; then everything must be sorted.
  template <class Criterion, class Line, class Tied>
  bool sweep_bins(Criterion& criterion, const Line& line, const Tied& tied, double floor,
                  std::optional<LineOptimum>& best) {
    if constexpr (std::is_same_v<Criterion, SquaredError>) {
      return false;  // of several outputs
    } else if constexpr (kOfNumbers<Criterion>) {
      return best_in(buffers_.number_bins, criterion, line, tied, floor, best);
    } else {
      const bool by_corners = is_convex(kind_) && rows_.width <= 3;
      if (!rows_.countable || !(Criterion::kBounded || by_corners)) return false;
      return best_in(buffers_.class_bins, criterion, line, tied, floor, best);
    }
  }

  template <class BinsOf, class Criterion, class Line, class Tied>
  bool best_in(BinsOf& bins, Criterion& criterion, const Line& line, const Tied& tied, double floor,
               std::optional<LineOptimum>& best) {
    if (!bins.count(line, rows_)) return false;
    bins.start();
    if constexpr (!kOfNumbers<Criterion>)
      if (resting_) bins.start_with(resting_->of_class, resting_->rows);
    const double known = bins.best_edge(
        criterion, floor,
        [this](std::int64_t rows0, double weight0) { return allowed(rows0, weight0); });
    const double wanted = just_below(known);
    best = best_above(bins, criterion, line, tied, wanted);
    if (known == floor || (best && best->score >= wanted)) return true;
    // The best edge between bins is no place, for rows are tied there. What was found instead tells
    // which bins matter.
    if (best) best = best_above(bins, criterion, line, tied, just_below(best->score));
    return best.has_value();
  }

  // The best place of the bins that may hold one of a higher score.
  template <class BinsOf, class Criterion, class Line, class Tied>
  std::optional<LineOptimum> best_above(BinsOf& bins, Criterion& criterion, const Line& line,
                                        const Tied& tied, double wanted) {
    const std::size_t n_chosen = bins.choose(criterion, wanted);
    if (n_chosen == 0) return std::nullopt;
    bins.sort_chosen(
        n_chosen, [&](std::size_t i) { return line.event(i); }, buffers_.sorter, buffers_.chosen);
    return sweep_chosen(criterion, bins, tied);
  }

  template <class Criterion, class BinsOf, class Tied>
  std::optional<LineOptimum> sweep_chosen(Criterion& criterion, const BinsOf& bins,
                                          const Tied& tied) const {
    const std::vector<Event>& events = buffers_.chosen;
    std::optional<LineOptimum> best;
    for (const auto& winner : bins.winners()) {
      criterion.set(bins.before(winner.bin));
      std::int64_t rows0 = bins.rows_before(winner.bin);
      const std::size_t end = bins.end_of_events(winner.bin);
      // The last gap ends at the first event of the next bin.
      const auto beyond = events.begin() + end;
      const std::size_t n_beyond = bins.n_events(winner.next);
      const auto following = std::min_element(beyond, beyond + n_beyond);
      for (std::size_t i = bins.first_event(winner.bin); i < end; ++i) {
        move(criterion, events[i], rows0);
        if (i + 1 == end && n_beyond == 0) break;
        if (allowed(rows0, criterion.weight0()))
          consider(criterion, events[i], i + 1 < end ? events[i + 1] : *following, tied, best);
      }
    }
    return best;
  }

  template <class Criterion, class Tied>
  std::optional<LineOptimum> sweep(Criterion& criterion, const Tied& tied) const {
    const std::vector<Event>& events = buffers_.events;
    std::int64_t rows0 = buffers_.start.rows;
    std::optional<LineOptimum> best;
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
      move(criterion, events[i], rows0);
      if (allowed(rows0, criterion.weight0()))
        consider(criterion, events[i], events[i + 1], tied, best);
    }
    return best;
  }

  // Takes the place between two neighbouring events if it is better than the best so far.
  template <class Criterion, class Tied>
  static void consider(const Criterion& criterion, const Event& event, const Event& next,
                       const Tied& tied, std::optional<LineOptimum>& best) {
    const double known = best ? best->score : LineSearch::kAnyScore;
    if (next.at == event.at || (criterion.beats_is_cheap() && !criterion.beats(known))) return;
    // Exact ties must go to the first place; beats() may round another way than score().
    const double score = criterion.score();
    if (!(score > known) || tied(event, next)) return;
    best = LineOptimum{between(event.at, next.at), score};
  }

  const double* number(std::size_t row) const { return rows_.number + row * (rows_.width - 1); }

  // The row of an event enters child 0, or leaves it.
  template <class Criterion>
  void move(Criterion& criterion, const Event& event, std::int64_t& rows0) const {
    const bool enters = event.label_and_side & 1u;
    const double weight = enters ? rows_.weight_of(event.row) : -rows_.weight_of(event.row);
    rows0 += enters ? 1 : -1;
    if constexpr (kOfNumbers<Criterion>)
      criterion.move(weight, number(event.row));
    else
      criterion.move(static_cast<int>(event.label_and_side >> 1), weight);
  }

  const SweepRows& rows_;
  CriterionKind kind_;
  ChildLimits limits_;
  Buffers& buffers_;
  double total_weight_ = 0.0;
  std::size_t n_all_;                     // rows, with those that rest
  const ClassCounts* resting_ = nullptr;  // what rests in child 0; null: the sweep has all rows
};

}  // namespace

std::optional<LineOptimum> LineSearch::along(const double* V, const double* R, double tolerance,
                                             double floor, bool ignore_sign) const {
  return Sweep(rows_, kind_, limits_).along(V, R, tolerance, floor, ignore_sign);
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
    const bool inside = V[i] <= 0.0;  // no branch: it could not be foreseen
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
  static thread_local std::vector<double> kept_values;
  std::vector<double>& values = kept_values;  // the address of what a thread keeps is not for free
  values.resize(moving.rows.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = V[moving.rows[k]];
  const ClassCounts inside = counts_inside(moving.target, values.data());
  ClassCounts resting = child0;
  resting.rows -= inside.rows;
  for (int k = 0; k < rows_.width; ++k) resting.of_class[k] -= inside.of_class[k];
  return Sweep(moving.target, kind_, limits_)
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
  return Sweep(rows_, kind_, limits_).threshold(u, tolerance, floor);
}

}  // namespace aslant
