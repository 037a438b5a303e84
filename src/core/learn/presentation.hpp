// The order in which a learner sees its examples.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/rng.hpp"

namespace aslant {

// Draws rows with probabilities proportional to their weights.
class Lottery {
 public:
  explicit Lottery(const std::vector<double>& weight) : cumulative_(weight.size()) {
    std::partial_sum(weight.begin(), weight.end(), cumulative_.begin());
  }
  std::size_t draw(Rng& rng) const {
    const double ticket = rng.uniform() * total();
    const auto winner = std::upper_bound(cumulative_.begin(), cumulative_.end(), ticket);
    return std::min<std::size_t>(winner - cumulative_.begin(), cumulative_.size() - 1);
  }
  double total() const { return cumulative_.back(); }

 private:
  std::vector<double> cumulative_;
};

// A pass over the examples: one order for all passes, a fresh one for each, or random draws.
enum class PassOrder { once, shuffled, drawn };

// The examples of successive passes. They are stored in random order, so passes in one order read
// memory sequentially. Copies must not be adjacent: with them each pass is shuffled again, examples
// repeated by weight, fractions rounded at random.
class Passes {
 public:
  Passes(const std::vector<double>& weight, PassOrder order, Rng& rng)
      : weight_(weight), lottery_(weight), kind_(order), rng_(rng) {
    const bool distinct =
        std::all_of(weight.begin(), weight.end(), [](double w) { return w == 1.0; });
    as_stored_ = distinct && kind_ == PassOrder::once;
    order_.resize(weight_.size());
    std::iota(order_.begin(), order_.end(), 0u);
  }

  // Whether every pass follows the stored order.
  bool as_stored() const { return as_stored_; }

  const std::vector<std::uint32_t>& next() {
    if (kind_ == PassOrder::drawn) {
      order_.resize(static_cast<std::size_t>(std::ceil(lottery_.total())));
      for (std::uint32_t& example : order_)
        example = static_cast<std::uint32_t>(lottery_.draw(rng_));
    } else if (!as_stored_) {
      shuffle_copies();
    }
    return order_;
  }

 private:
  void shuffle_copies() {
    order_.clear();
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const double whole = std::floor(weight_[i]), rest = weight_[i] - whole;
      const bool once_more = rest > 0.0 && rng_.uniform() < rest;
      order_.insert(order_.end(), static_cast<std::size_t>(whole) + (once_more ? 1 : 0),
                    static_cast<std::uint32_t>(i));
    }
    for (std::size_t i = order_.size(); i > 1; --i)
      std::swap(order_[i - 1], order_[rng_.below(static_cast<int>(i))]);
  }

  const std::vector<double>& weight_;
  Lottery lottery_;
  PassOrder kind_;
  Rng& rng_;
  bool as_stored_;
  std::vector<std::uint32_t> order_;
};

}  // namespace aslant
