#include "line_search.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bins.hpp"
#include "sort_events.hpp"

namespace aslant {

namespace {

// One search of one line.
class Sweep {
 public:
  Sweep(const LabelledRows& rows, CriterionKind kind, const ChildLimits& limits)
      : rows_(rows), kind_(kind), limits_(limits) {
    total_weight_ = 0.0;
    for (int k = 0; k < rows.n_classes; ++k) total_weight_ += rows.class_weight[k];
  }

  std::optional<LineOptimum> along(const double* V, const double* R, double tolerance, double floor,
                                   bool ignore_sign) {
    Buffers& buffers = thread_buffers();
    buffers.at.resize(rows_.n);
    buffers.code.resize(rows_.n);
    const bool any_leaves = find_breakpoints(rows_.n, V, R, rows_.label, kNever, ignore_sign,
                                             buffers.at.data(), buffers.code.data());
    // At its breakpoint a row that leaves child 0 is still in it: then a place strictly between two
    // breakpoints is needed.
    const auto tied = [R, tolerance, any_leaves](const Event& a, const Event& b) {
      return (any_leaves && between(a.at, b.at) == a.at) ||
             (b.at - a.at) * std::min(std::abs(R[a.row]), std::abs(R[b.row])) <= tolerance;
    };
    const Breakpoints line{rows_.n, buffers.at.data(), buffers.code.data()};
    return best_place(buffers, line, tied, floor);
  }

  std::optional<LineOptimum> threshold(const double* u, double tolerance, double floor) {
    const auto tied = [tolerance](const Event& a, const Event& b) {
      return b.at - a.at <= tolerance;
    };
    return best_place(thread_buffers(), Projections{rows_.n, u, rows_.label}, tied, floor);
  }

 private:
  static constexpr double kNever = 1e300;

  // What is in child 0 at alpha = minus infinity.
  struct Start {
    std::vector<double> class_weight;
    double target_sum = 0.0;
    std::int64_t rows = 0;

    void clear(int n_classes) {
      class_weight.assign(n_classes, 0.0);
      target_sum = 0.0;
      rows = 0;
    }
    void add(const LabelledRows& labelled, std::uint32_t row) {
      const double weight = labelled.weight_of(row);
      class_weight[labelled.label[row]] += weight;
      if (labelled.target) target_sum += weight * labelled.target[row];
      ++rows;
    }
    void enter(SquaredError& criterion) const {
      if (rows) criterion.move(target_sum / class_weight[0], class_weight[0]);
    }
  };

  // The rows along a line, unsorted: a row moves at `at` if that is below the limit; its code is
  // that of find_breakpoints.
  struct Breakpoints {
    std::size_t n;
    const double* at;
    const std::uint32_t* codes;
    static constexpr double limit = kNever;

    std::uint32_t code(std::size_t i) const { return codes[i]; }
  };
  // A threshold on projections: all rows enter child 0, none ever leaves it.
  struct Projections {
    std::size_t n;
    const double* at;
    const std::int32_t* label;
    static constexpr double limit = std::numeric_limits<double>::infinity();

    std::uint32_t code(std::size_t i) const {
      return (static_cast<std::uint32_t>(label[i]) << 1) | 1u;
    }
  };

  // Kept from one search to the next, one set per thread: no allocation inside a search.
  struct Buffers {
    std::vector<double> at;
    std::vector<std::uint32_t> code;
    std::vector<Event> events;
    Start start;
    std::vector<double> child0;
    EventSorter sorter;
    Bins<2> two_class_bins;
    Bins<3> three_class_bins;
    Bins<0> bins;
    std::vector<std::uint32_t> chosen_rows;  // of the bins that are sorted
    std::vector<Event> chosen;
  };
  static Buffers& thread_buffers() {
    static thread_local Buffers buffers;
    return buffers;
  }

  template <class Line, class Tied>
  std::optional<LineOptimum> best_place(Buffers& buffers, const Line& line, const Tied& tied,
                                        double floor) {
    buffers.start.clear(rows_.n_classes);
    if (kind_ == CriterionKind::squared_error) {
      make_events(buffers, line);
      SquaredError error(total_weight_, total_target());
      buffers.start.enter(error);
      return sort_and_sweep(error, buffers, tied);
    }
    return with_criterion(kind_, rows_.class_weight, rows_.n_classes, buffers.child0,
                          [&](auto criterion) {
                            std::optional<LineOptimum> best;
                            if (sweep_bins(criterion, buffers, line, tied, floor, best))
                              return best;
                            make_events(buffers, line);
                            criterion.set(buffers.start.class_weight.data());
                            return sort_and_sweep(criterion, buffers, tied);
                          });
  }

  template <class Line>
  static Event event(const Line& line, std::size_t i) {
    return {line.at[i], static_cast<std::uint32_t>(i), line.code(i)};
  }

  // All rows that move, and what child 0 holds before the first of them does.
  template <class Line>
  void make_events(Buffers& buffers, const Line& line) const {
    buffers.start.clear(rows_.n_classes);
    buffers.events.resize(line.n);
    Event* next = buffers.events.data();
    for (std::size_t i = 0; i < line.n; ++i) {
      *next = event(line, i);
      next += std::abs(line.at[i]) < line.limit;
      if (!(line.code(i) & 1u)) buffers.start.add(rows_, static_cast<std::uint32_t>(i));
    }
    buffers.events.resize(static_cast<std::size_t>(next - buffers.events.data()));
  }

  template <class Criterion, class Tied>
  std::optional<LineOptimum> sort_and_sweep(Criterion& criterion, Buffers& buffers,
                                            const Tied& tied) const {
    buffers.sorter.sort(buffers.events);
    return sweep(criterion, buffers, tied);
  }

  bool large_enough(double rows0) const {
    const double needed = std::max(static_cast<double>(limits_.rows), limits_.weight);
    return rows0 >= needed && static_cast<double>(rows_.n) - rows0 >= needed;
  }

  // Finds the best place by sorting only the bins that can hold it. False if bins do not apply, or
  // if tied breakpoints leave the question open; then everything must be sorted.
  template <class Criterion, class Line, class Tied>
  bool sweep_bins(Criterion& criterion, Buffers& buffers, const Line& line, const Tied& tied,
                  double floor, std::optional<LineOptimum>& best) const {
    if (rows_.weight) return false;
    if (is_convex(kind_) && rows_.n_classes == 2)
      return best_in(buffers.two_class_bins, criterion, buffers, line, tied, floor, best);
    if (is_convex(kind_) && rows_.n_classes == 3)
      return best_in(buffers.three_class_bins, criterion, buffers, line, tied, floor, best);
    if constexpr (Criterion::kBounded)
      return best_in(buffers.bins, criterion, buffers, line, tied, floor, best);
    return false;
  }

  template <class BinsOf, class Criterion, class Line, class Tied>
  bool best_in(BinsOf& bins, Criterion& criterion, Buffers& buffers, const Line& line,
               const Tied& tied, double floor, std::optional<LineOptimum>& best) const {
    if (!bins.count(line, rows_.n_classes)) return false;
    bins.start(buffers.start.class_weight);
    const double known = bins.best_edge(criterion, buffers.start.class_weight, floor,
                                        [this](double rows0) { return large_enough(rows0); });
    const double wanted = just_below(known);
    const std::size_t n_chosen = bins.choose(criterion, wanted);
    if (2 * n_chosen > line.n) return false;
    if (n_chosen > 0) {
      buffers.chosen_rows.resize(n_chosen + 1);
      bins.pick_rows(buffers.chosen_rows.data());
      buffers.chosen.resize(n_chosen);
      for (std::size_t c = 0; c < n_chosen; ++c)
        buffers.chosen[c] = event(line, buffers.chosen_rows[c]);
      buffers.sorter.sort(buffers.chosen);
      best = sweep_chosen(criterion, bins, buffers.chosen, tied);
    }
    return known == floor || (best && best->score >= wanted);
  }

  template <class Criterion, class BinsOf, class Tied>
  std::optional<LineOptimum> sweep_chosen(Criterion& criterion, const BinsOf& bins,
                                          const std::vector<Event>& events,
                                          const Tied& tied) const {
    std::optional<LineOptimum> best;
    std::size_t bin = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
      const std::size_t here = bins.bin_at(events[i].at);
      if (here != bin) criterion.set(bins.before(here));
      bin = here;
      const bool enters = events[i].label_and_side & 1u;
      move(criterion, events[i], enters ? 1.0 : -1.0);
      const std::size_t following = bins.bin_at(events[i + 1].at);
      if (following != here && following != bins.next(here)) continue;
      if (large_enough(criterion.weight0()))
        consider(criterion, events[i], events[i + 1], tied, best);
    }
    return best;
  }

  // Takes the place between two neighbouring events if it is better than the best so far.
  template <class Criterion, class Tied>
  static void consider(const Criterion& criterion, const Event& event, const Event& next,
                       const Tied& tied, std::optional<LineOptimum>& best) {
    if (next.at == event.at || !criterion.beats(best ? best->score : LineSearch::kAnyScore)) return;
    // Exact ties must go to the first place; beats() may round another way than score().
    const double score = criterion.score();
    if ((best && !(score > best->score)) || tied(event, next)) return;
    best = LineOptimum{between(event.at, next.at), score};
  }

  double total_target() const {
    double sum = 0.0;
    for (std::uint32_t row = 0; row < rows_.n; ++row)
      sum += rows_.weight_of(row) * rows_.target[row];
    return sum;
  }

  void move(SquaredError& criterion, const Event& event, double weight) const {
    criterion.move(rows_.target[event.row], weight);
  }
  template <class Criterion>
  void move(Criterion& criterion, const Event& event, double weight) const {
    criterion.move(static_cast<int>(event.label_and_side >> 1), weight);
  }

  template <class Criterion, class Tied>
  std::optional<LineOptimum> sweep(Criterion& criterion, const Buffers& buffers,
                                   const Tied& tied) const {
    const std::vector<Event>& events = buffers.events;
    std::int64_t rows0 = buffers.start.rows;
    const auto n = static_cast<std::int64_t>(rows_.n);
    std::optional<LineOptimum> best;
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
      const Event& event = events[i];
      const double weight = rows_.weight_of(event.row);
      const bool enters = event.label_and_side & 1u;
      move(criterion, event, enters ? weight : -weight);
      rows0 += enters ? 1 : -1;
      if (rows0 < limits_.rows || n - rows0 < limits_.rows) continue;
      if (limits_.weight > 0.0 && (criterion.weight0() < limits_.weight ||
                                   total_weight_ - criterion.weight0() < limits_.weight))
        continue;
      consider(criterion, event, events[i + 1], tied, best);
    }
    return best;
  }

  // The middle, or the lower end where no double lies between: "<= alpha" still separates.
  static double between(double low, double high) {
    const double middle = low + (high - low) / 2.0;
    return middle < high ? middle : low;
  }

  LabelledRows rows_;
  CriterionKind kind_;
  ChildLimits limits_;
  double total_weight_;
};

}  // namespace

std::optional<LineOptimum> LineSearch::along(const double* V, const double* R, double tolerance,
                                             double floor, bool ignore_sign) const {
  return Sweep(rows_, kind_, limits_).along(V, R, tolerance, floor, ignore_sign);
}

std::optional<LineOptimum> LineSearch::threshold(const double* u, double tolerance,
                                                 double floor) const {
  return Sweep(rows_, kind_, limits_).threshold(u, tolerance, floor);
}

}  // namespace aslant
