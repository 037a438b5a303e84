// The one sweep: items change side in ascending order of position; keeps the best gap between
// neighbors.
//
// An item has a position `at`. A partition holds the statistics of the children:
// - move(item): the rows of an item change side;
// - allowed(): whether both children may exist now;
// - score_above(known, item, next): the gap's score if it exceeds `known`, else any lower value;
// - begin(first, last): announces the next items;
// - skips(first, item, last): whether the gap after an item cannot be the best.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "criteria/child_limits.hpp"
#include "criteria/registry.hpp"
#include "data/target.hpp"
#include "line/optimum.hpp"
#include "line/sort_events.hpp"

namespace aslant {

// `tied(item, next)`: whether no threshold separates two neighbors. Scores below `floor` may be
// missed; exact ties go to the first position.
template <class Partition, class Tied>
class Sweep {
 public:
  Sweep(Partition& partition, const Tied& tied, double floor = kAnyScore)
      : partition_(partition), tied_(tied), best_{0.0, std::nextafter(floor, kAnyScore)} {}

  // Moves the items from first to last. `beyond` is the neighbor of the last one, if any.
  template <class Item>
  void run(const Item* first, const Item* last, const Item* beyond = nullptr) {
    partition_.begin(first, last);
    for (const Item* item = first; item != last; ++item) {
      partition_.move(*item);
      if (item + 1 == last) {
        if (beyond != nullptr) consider(*item, *beyond);
      } else if (item[1].at != item->at && !partition_.skips(first, item, last)) {
        consider(*item, item[1]);
      }
    }
  }

  // The gap between two neighbors.
  template <class Item>
  void consider(const Item& item, const Item& next) {
    if (next.at == item.at || !partition_.allowed()) return;
    const double score = partition_.score_above(best_.score, item, next);
    if (!(score > best_.score)) return;
    if (tied_(item, next)) {
      refused_tie_ = true;
      return;
    }
    best_ = {between(item.at, next.at), score};
    found_ = true;
  }

  std::optional<LineOptimum> best() const { return found_ ? std::optional(best_) : std::nullopt; }
  // Whether a gap between tied neighbors beat the best score at its time.
  bool refused_tie() const { return refused_tie_; }

 private:
  Partition& partition_;
  const Tied& tied_;
  LineOptimum best_;
  bool found_ = false, refused_tie_ = false;
};

// A node's rows as a partition for sweeps over events.
template <class Criterion>
class RowPartition {
 public:
  // `n_all`: rows of the node; `rows` may be a subset.
  RowPartition(Criterion& criterion, const SweepRows& rows, const ChildLimits& limits,
               std::size_t n_all)
      : criterion_(criterion),
        rows_(rows),
        limits_(limits),
        n_all_(static_cast<std::int64_t>(n_all)),
        total_weight_(rows.total_weight()),
        least_rows_(std::max<std::int64_t>(1, limits.rows)),
        checks_weight_(limits.weight > 0.0 || !rows.counts_alike()) {
    // Squares of the counts, times the classes, are exact in 53 bits.
    constexpr double kMostCounted = 1 << 24;
    if constexpr (Criterion::kUsesCounts)
      if (rows.counts_alike() && total_weight_ < kMostCounted && rows.width < 32)
        criterion.use_counts();
  }

  // Sets the statistics of child 0.
  void start(const double* statistics, std::int64_t rows0) {
    criterion_.set(statistics);
    rows0_ = rows0;
  }
  // A convex criterion has no maximum between events of one class and side.
  void skip_inside_runs(bool skip) {
    skips_ = skip && Criterion::kConvex && !kIsRegression<Criterion> && least_rows_ == 1 &&
             !checks_weight_;
  }
  bool skips_inside_runs() const { return skips_; }

  void move(const Event& event) {
    const bool enters = event.label_and_side & 1u;
    const double weight = enters ? rows_.weight_of(event.row) : -rows_.weight_of(event.row);
    rows0_ += enters ? 1 : -1;
    if constexpr (kIsRegression<Criterion>)
      criterion_.move(weight, rows_.target + event.row * static_cast<std::size_t>(rows_.width - 1));
    else
      criterion_.move(static_cast<int>(event.label_and_side >> 1), weight);
  }
  bool allowed() const {
    if (rows0_ < least_rows_ || n_all_ - rows0_ < least_rows_) return false;
    if (limits_.order != 0 && !in_order(criterion_.in0())) return false;
    return !checks_weight_ ||
           limits_.allow_both(rows0_, criterion_.weight0(), n_all_, total_weight_);
  }
  bool allowed(std::int64_t rows0, double weight0) const {
    return limits_.allow_both(rows0, weight0, n_all_, total_weight_);
  }
  bool checks_order() const { return limits_.order != 0; }
  // Whether the children have the order of the limits if child 0 has these statistics.
  bool in_order(const double* in0) const {
    const double* all = rows_.total;
    const double rise = kIsRegression<Criterion>
                            ? all[1] * in0[0] - in0[1] * all[0]
                            : all[1] * (in0[0] + in0[1]) - in0[1] * (all[0] + all[1]);
    return limits_.order * rise >= 0.0;
  }
  // score() decides, because beats() may round differently.
  double score_above(double known, const Event& /*event*/, const Event& /*next*/) const {
    if (compares_fast(criterion_) && !beats(criterion_, known)) return kAnyScore;
    return criterion_.score();
  }
  // The gaps before the first and after the last run are unknown: these runs are swept.
  void begin(const Event* first, const Event* last) {
    if (!skips_ || first == last) return;
    first_run_end_ = first;
    while (first_run_end_ != last && first_run_end_->label_and_side == first->label_and_side)
      ++first_run_end_;
    last_run_ = last - 1;
    while (last_run_ != first && last_run_[-1].label_and_side == last[-1].label_and_side)
      --last_run_;
  }
  bool skips(const Event* first, const Event* event, const Event* last) const {
    if (!skips_ || event < first_run_end_ || event + 1 >= last_run_) return false;
    const std::uint32_t same = event->label_and_side;
    if (event[1].label_and_side != same) return false;
    for (const Event* e = event; e > first && e[-1].at == event->at; --e)
      if (e[-1].label_and_side != same) return false;
    for (const Event* e = event + 2; e < last && e->at == event[1].at; ++e)
      if (e->label_and_side != same) return false;
    return true;
  }

 private:
  Criterion& criterion_;
  const SweepRows& rows_;
  const ChildLimits& limits_;
  std::int64_t n_all_, rows0_ = 0;
  double total_weight_;
  std::int64_t least_rows_;
  bool checks_weight_, skips_ = false;
  const Event *first_run_end_ = nullptr, *last_run_ = nullptr;
};

}  // namespace aslant
