// OC1: hill-climbing over hyperplane coefficients with random restarts and random jumps.
#pragma once

#include "search.hpp"

namespace aslant {

struct OC1Options {
  enum class Order { sequential, best, random };
  enum class Stagnation { probability, counter };
  enum class Start { faithful, through_point };
  enum class Origin { median, original };

  int restarts;  // starting points, the axis-parallel one included
  int jumps;
  Order order;
  int random_moves;  // for Order::random
  Stagnation stagnation;
  double stagnation_step;  // what an idle move takes from the chance of the next
  std::int64_t min_rows;   // more rows than this for an oblique split; -1: 2 d
  bool count_distinct;     // distinct rows and varying columns, not all of them
  double axis_bias;        // an oblique split must be this many times better
  bool axis_start;         // false: oblique tests only
  bool perturb_constant;
  Start start;
  Origin origin;
  bool legacy_sweep;  // needs, and so implies, Origin::original
  double min_step;    // a coefficient that would move no farther stays where it is
};

class OC1 : public Search {
 public:
  explicit OC1(const OC1Options& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  bool enough_rows(const Node& node) const;
  std::optional<Split> best_oblique(const NodePointer& node, const std::optional<Split>& axis,
                                    const SearchContext& context) const;
  OC1Options options_;
};

}  // namespace aslant
