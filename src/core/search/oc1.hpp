// OC1: hill-climbing over hyperplane coefficients with random restarts and random jumps.
#pragma once

#include "search.hpp"

namespace aslant {

struct OC1Options {
  enum class Order { sequential, best, random };
  enum class Stagnation { probability, counter };
  enum class Start { faithful, through_point };
  enum class Origin { median, original };

  int restarts = 20;  // starting points, the axis-parallel one included
  int jumps = 5;
  Order order = Order::sequential;
  int random_moves = 50;  // for Order::random
  Stagnation stagnation = Stagnation::counter;
  double stagnation_step = 0.1;  // what an idle move takes from the chance of the next
  std::int64_t min_rows = -1;    // more distinct rows than this for an oblique split; -1: 2 d
  double axis_bias = 1.0;        // an oblique split must be this many times better
  bool axis_start = true;        // false: oblique tests only
  bool perturb_constant = false;
  Start start = Start::faithful;
  Origin origin = Origin::median;
  bool legacy_sweep = false;  // needs, and so implies, Origin::original
};

class OC1 : public Search {
 public:
  explicit OC1(const OC1Options& options) : options_(options) {}
  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;

 private:
  std::optional<Split> best_oblique(const std::shared_ptr<const Node>& node,
                                    const std::optional<Split>& axis,
                                    const SearchContext& context) const;
  OC1Options options_;
};

}  // namespace aslant
