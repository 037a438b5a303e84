// OC1: hill-climbing over hyperplane coefficients with random restarts and random jumps.
#pragma once

#include "search/search.hpp"

namespace aslant {

struct OC1Options {
  enum class Order { sequential, best, random };
  enum class Stagnation { probability, counter };
  enum class Start { faithful, through_point };
  enum class Origin { median, original };

  int restarts;  // starting points, including the axis-parallel one
  int jumps;
  Order order;
  int random_moves;  // for Order::random
  Stagnation stagnation;
  double stagnation_step;  // decrease of the idle-move probability per idle move
  std::int64_t min_rows;   // an oblique split needs more rows; -1: 2 d
  bool count_distinct;     // count only distinct rows and varying columns
  double axis_bias;        // factor by which an oblique split must be better
  bool axis_start;         // false: oblique tests only
  bool perturb_constant;
  Start start;
  Origin origin;
  bool legacy_sweep;  // implies Origin::original
  double min_step;    // smaller moves of a coefficient are skipped
};

// Traits: both targets; reads sparse tables; does not decide; random.
// Reads: varying columns, their medians and deviations, targets, weights, limits.
// Writes: hyperplanes or the axis-parallel split; score = gain; no legacy.
class OC1 : public Search {
 public:
  explicit OC1(const OC1Options& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  SearchTraits traits() const override { return {false, true}; }  // reads sparse tables

 private:
  bool enough_rows(const Node& node) const;
  std::optional<Split> best_oblique(const NodePointer& node, const std::optional<Split>& axis,
                                    const SearchContext& context) const;
  OC1Options options_;
};

}  // namespace aslant
