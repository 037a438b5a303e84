// CART's linear combinations: one coefficient at a time, deterministic.
#pragma once

#include <vector>

#include "search/search.hpp"

namespace aslant {

struct CartLCOptions {
  bool normalize;      // (x - median) / interquartile range at the node
  bool original_zero;  // measure features from zero, not from their median, if not normalized
  std::vector<double> gammas;
  int max_cycles;
  double tolerance;       // relative change of the score per cycle that ends the search
  bool univariate;        // compete with the best univariate test
  std::int64_t min_rows;  // below the root, a combination needs more rows; -1: 2 d
  bool keep_last;         // return the last combination, not the best one
  bool legacy_sweep;      // the original's approximate steps, with its zero
};

// Traits: both targets; no sparse tables; does not decide; deterministic.
// Reads: varying columns as dense features, their medians and quartiles, targets, depth.
// Writes: hyperplanes, or the univariate split; score = gain; no legacy.
class CartLC : public Search {
 public:
  explicit CartLC(const CartLCOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  bool enough_rows(const Node& node, int depth) const;
  CartLCOptions options_;
};

}  // namespace aslant
