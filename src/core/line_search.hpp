// The exact line search: the move of which nearly every oblique search is made.
//
// A hyperplane travels along a direction in coefficient space. Row j sits at V_j + alpha R_j and is
// in child 0 while that is <= 0, so it changes side exactly once, at alpha = -V_j / R_j: out of
// child 0 if R_j > 0, into it if R_j < 0, never if R_j = 0. Sorting these breakpoints and sweeping
// once with running class weights finds the best alpha on the whole line. A threshold on
// projections u is the line V = u, R = -1, whose breakpoints are the projections themselves.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "bins.hpp"
#include "criterion.hpp"
#include "sort_events.hpp"

namespace aslant {

// A place on the line and what the partition there is worth.
struct LineOptimum {
  double alpha;
  double score;
};

// What a child must hold for a split to be allowed.
struct ChildLimits {
  std::int64_t rows = 1;
  double weight = 0.0;
};

// The rows a sweep runs over: labelled with classes, or with numbers when the criterion is
// squared_error (then `label` is all zeros, one "class"). `weight` is null when every row weighs 1.
struct LabelledRows {
  std::size_t n;
  const std::int32_t* label;
  const double* weight;
  const double* class_weight;  // per class, summed over the rows
  int n_classes;
  const double* target = nullptr;

  double weight_of(std::uint32_t row) const { return weight ? weight[row] : 1.0; }
};

class LineSearch {
 public:
  LineSearch(const LabelledRows& rows, CriterionKind kind, const ChildLimits& limits)
      : rows_(rows), kind_(kind), limits_(limits) {
    total_weight_ = 0.0;
    for (int k = 0; k < rows.n_classes; ++k) total_weight_ += rows.class_weight[k];
  }

  static constexpr double kAnyScore = -std::numeric_limits<double>::infinity();

  // Best alpha for rows at V + alpha R. Breakpoints closer than `tolerance` (in the units of V)
  // count as one. A best score below `floor` need not be found. `ignore_sign` treats every moving
  // row as if R_j > 0: the original OC1's shortcut.
  std::optional<LineOptimum> along(const double* V, const double* R, double tolerance,
                                   double floor = kAnyScore, bool ignore_sign = false) {
    Buffers& buffers = thread_buffers();
    buffers.events.resize(rows_.n);
    buffers.start.clear(rows_.n_classes);
    Event* next = buffers.events.data();
    bool any_leaves = false;
    for (std::uint32_t j = 0; j < rows_.n; ++j) {
      const double at = -V[j] / R[j];
      const bool moves = std::abs(at) < kNever;  // not if R_j = 0 or too small
      const bool enters = R[j] < 0.0 && !ignore_sign;
      if (moves) *next++ = {at, j, label_bits(j) | enters};
      if (moves ? !enters : V[j] <= 0.0) buffers.start.add(rows_, j);
      any_leaves = any_leaves || (moves && !enters);
    }
    buffers.events.resize(static_cast<std::size_t>(next - buffers.events.data()));
    // At its breakpoint a row that leaves child 0 is still in it: then a place strictly between two
    // breakpoints is needed.
    const auto tied = [R, tolerance, any_leaves](const Event& a, const Event& b) {
      return (any_leaves && between(a.at, b.at) == a.at) ||
             (b.at - a.at) * std::min(std::abs(R[a.row]), std::abs(R[b.row])) <= tolerance;
    };
    return best_place(buffers, tied, floor);
  }

  // Best threshold on the projections u: child 0 holds the rows with u <= threshold.
  std::optional<LineOptimum> threshold(const double* u, double tolerance,
                                       double floor = kAnyScore) {
    Buffers& buffers = thread_buffers();
    buffers.start.clear(rows_.n_classes);
    buffers.events.resize(rows_.n);
    for (std::uint32_t j = 0; j < rows_.n; ++j) buffers.events[j] = {u[j], j, label_bits(j) | 1u};
    const auto tied = [tolerance](const Event& a, const Event& b) {
      return b.at - a.at <= tolerance;
    };
    return best_place(buffers, tied, floor);
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

  // A bin while it is decided which ones to sort.
  struct BinState {
    std::array<double, 2> before;  // class weights of child 0 on its left side
    double bound;                  // no place in it scores higher
    std::size_t next;              // the next bin that is not empty
    bool chosen;
  };

  // Kept from one search to the next, one set per thread: no allocation inside a search.
  struct Buffers {
    std::vector<Event> events;
    Start start;
    std::vector<double> child0;
    EventSorter sorter;
    Bins bins;
    std::vector<BinState> bin_states;
    std::vector<Event> chosen;  // events of the bins that are sorted
  };
  static Buffers& thread_buffers() {
    static thread_local Buffers buffers;
    return buffers;
  }

  std::uint32_t label_bits(std::uint32_t row) const {
    return static_cast<std::uint32_t>(rows_.label[row]) << 1;
  }

  template <class Tied>
  std::optional<LineOptimum> best_place(Buffers& buffers, const Tied& tied, double floor) {
    if (buffers.events.size() < 2) return std::nullopt;
    if (kind_ == CriterionKind::squared_error) {
      SquaredError error(total_weight_, total_target());
      buffers.start.enter(error);
      return sort_and_sweep(error, buffers, tied);
    }
    return with_criterion(kind_, rows_.class_weight, rows_.n_classes, buffers.child0,
                          [&](auto criterion) {
                            std::optional<LineOptimum> best;
                            if (sweep_bins(criterion, buffers, tied, floor, best)) return best;
                            criterion.set(buffers.start.class_weight.data());
                            return sort_and_sweep(criterion, buffers, tied);
                          });
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

  // Score of the partition with these class weights in child 0, 0 if a child is empty.
  template <class Criterion>
  double score_at(Criterion& criterion, const std::array<double, 2>& in0) const {
    const double rows0 = in0[0] + in0[1];
    if (!(rows0 > 0.0) || !(rows0 < static_cast<double>(rows_.n))) return 0.0;
    criterion.set(in0.data());
    return criterion.score();
  }

  // Highest score at a corner of the box that the rows of a bin span.
  template <class Criterion>
  double corner_bound(Criterion& criterion, const std::array<double, 2>& before,
                      const std::array<std::uint32_t, 4>& counts) const {
    double bound = 0.0;
    for (int corner = 0; corner < 4; ++corner) {
      std::array<double, 2> in0 = before;
      for (int k = 0; k < 2; ++k)
        in0[k] += (corner >> k) & 1 ? counts[2 * k + 1] : -static_cast<double>(counts[2 * k]);
      bound = std::max(bound, score_at(criterion, in0));
    }
    return bound;
  }

  // Finds the best place by sorting only the bins that can hold it. False if bins do not apply, or
  // if tied breakpoints leave the question open; then everything must be sorted.
  template <class Criterion, class Tied>
  bool sweep_bins(Criterion& criterion, Buffers& buffers, const Tied& tied, double floor,
                  std::optional<LineOptimum>& best) const {
    if (rows_.weight || rows_.n_classes != 2 || !is_convex(kind_) ||
        !buffers.bins.count(buffers.events))
      return false;
    const double known = std::max(floor, bound_bins(criterion, buffers));
    const double wanted = known - 1e-12 * std::abs(known);
    if (!choose_events(buffers, wanted)) return false;
    best = sweep_chosen(criterion, buffers, tied);
    return known == floor || (best && best->score >= wanted);
  }

  // Bounds every bin; returns the best score between two bins.
  template <class Criterion>
  double bound_bins(Criterion& criterion, Buffers& buffers) const {
    const Bins& bins = buffers.bins;
    buffers.bin_states.resize(bins.size());
    const std::vector<double>& start = buffers.start.class_weight;
    std::array<double, 2> in0 = {start[0], start[1]};
    double known = kAnyScore;
    for (std::size_t b = 0; b < bins.size(); ++b) {
      const auto& counts = bins.counts(b);
      buffers.bin_states[b] = {in0, corner_bound(criterion, in0, counts), 0, false};
      for (int k = 0; k < 2; ++k) in0[k] += counts[2 * k + 1] - static_cast<double>(counts[2 * k]);
      if (b + 1 < bins.size() && large_enough(in0[0] + in0[1]))
        known = std::max(known, score_at(criterion, in0));
    }
    return known;
  }

  // Collects and sorts the events of the bins that may reach `wanted`, and of the next bin after
  // each, whose first event ends the last gap. False if that is nearly everything.
  static bool choose_events(Buffers& buffers, double wanted) {
    const Bins& bins = buffers.bins;
    std::size_t total = 0, next = bins.size();
    bool wanted_next = false;
    for (std::size_t b = bins.size(); b-- > 0;) {
      BinState& state = buffers.bin_states[b];
      state.next = next;
      if (bins.events(b) == 0) continue;
      const bool wants = state.bound >= wanted;
      if (wants && next < bins.size() && !wanted_next) {
        buffers.bin_states[next].chosen = true;
        total += bins.events(next);
      }
      state.chosen = wants;
      if (wants) total += bins.events(b);
      wanted_next = wants;
      next = b;
    }
    if (2 * total > buffers.events.size()) return false;
    buffers.chosen.clear();
    for (const Event& event : buffers.events)
      if (buffers.bin_states[bins.bin_at(event.at)].chosen) buffers.chosen.push_back(event);
    buffers.sorter.sort(buffers.chosen);
    return true;
  }

  template <class Criterion, class Tied>
  std::optional<LineOptimum> sweep_chosen(Criterion& criterion, const Buffers& buffers,
                                          const Tied& tied) const {
    std::optional<LineOptimum> best;
    const std::vector<Event>& events = buffers.chosen;
    std::size_t bin = buffers.bins.size();
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
      const std::size_t here = buffers.bins.bin_at(events[i].at);
      if (here != bin) criterion.set(buffers.bin_states[here].before.data());
      bin = here;
      const bool enters = events[i].label_and_side & 1u;
      move(criterion, events[i], enters ? 1.0 : -1.0);
      const std::size_t following = buffers.bins.bin_at(events[i + 1].at);
      if (following != here && following != buffers.bin_states[here].next) continue;
      if (large_enough(criterion.weight0()))
        consider(criterion, events[i], events[i + 1], tied, best);
    }
    return best;
  }

  // Takes the place between two neighbouring events if it is better than the best so far.
  template <class Criterion, class Tied>
  static void consider(const Criterion& criterion, const Event& event, const Event& next,
                       const Tied& tied, std::optional<LineOptimum>& best) {
    if (next.at == event.at || !criterion.beats(best ? best->score : kAnyScore)) return;
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

}  // namespace aslant
