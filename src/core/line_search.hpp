// The exact line search: the move of which nearly every oblique search is made.
//
// A hyperplane travels along a direction in coefficient space. Row j sits at V_j + alpha R_j and is
// in child 0 while that is <= 0, so it changes side exactly once, at alpha = -V_j / R_j: out of
// child 0 if R_j > 0, into it if R_j < 0, never if R_j = 0. Sorting these breakpoints and sweeping
// once with running class weights finds the best alpha on the whole line. A threshold on
// projections u is the line V = u, R = -1, whose breakpoints are the projections themselves.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

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

  // Best alpha for rows at V + alpha R. Breakpoints closer than `tolerance` (in the units of V)
  // count as one. `ignore_sign` treats every moving row as if R_j > 0: the original OC1's shortcut.
  std::optional<LineOptimum> along(const double* V, const double* R, double tolerance,
                                   bool ignore_sign = false) {
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
    return best_of_sorted(buffers, tied);
  }

  // Best threshold on the projections u: child 0 holds the rows with u <= threshold.
  std::optional<LineOptimum> threshold(const double* u, double tolerance) {
    Buffers& buffers = thread_buffers();
    buffers.start.clear(rows_.n_classes);
    buffers.events.resize(rows_.n);
    for (std::uint32_t j = 0; j < rows_.n; ++j) buffers.events[j] = {u[j], j, label_bits(j) | 1u};
    const auto tied = [tolerance](const Event& a, const Event& b) {
      return b.at - a.at <= tolerance;
    };
    return best_of_sorted(buffers, tied);
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
    template <class Criterion>
    void enter(Criterion& criterion) const {
      for (int k = 0; k < static_cast<int>(class_weight.size()); ++k)
        if (class_weight[k] != 0.0) criterion.move(k, class_weight[k]);
    }
    void enter(SquaredError& criterion) const {
      if (rows) criterion.move(target_sum / class_weight[0], class_weight[0]);
    }
  };

  // Kept from one search to the next, one set per thread: no allocation inside a search.
  struct Buffers {
    std::vector<Event> events;
    Start start;
    std::vector<double> child0;
    EventSorter sorter;
  };
  static Buffers& thread_buffers() {
    static thread_local Buffers buffers;
    return buffers;
  }

  std::uint32_t label_bits(std::uint32_t row) const {
    return static_cast<std::uint32_t>(rows_.label[row]) << 1;
  }

  template <class Tied>
  std::optional<LineOptimum> best_of_sorted(Buffers& buffers, const Tied& tied) {
    if (buffers.events.size() < 2) return std::nullopt;
    buffers.sorter.sort(buffers.events);
    const auto sweep_with = [&](auto criterion) {
      buffers.start.enter(criterion);
      return sweep(criterion, buffers, tied);
    };
    if (kind_ == CriterionKind::squared_error)
      return sweep_with(SquaredError(total_weight_, total_target()));
    return with_criterion(kind_, rows_.class_weight, rows_.n_classes, buffers.child0, sweep_with);
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
      const Event& next = events[i + 1];
      if (next.at == event.at || tied(event, next)) continue;
      if (limits_.weight > 0.0 && (criterion.weight0() < limits_.weight ||
                                   total_weight_ - criterion.weight0() < limits_.weight))
        continue;
      const double score = criterion.score();
      if (!best || score > best->score) best = LineOptimum{between(event.at, next.at), score};
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
