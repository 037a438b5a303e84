// CART's linear combinations: one coefficient at a time, deterministic.
#pragma once

#include <vector>

#include "search.hpp"

namespace aslant {

struct CartLCOptions {
  bool normalize;      // (x - median) / interquartile range at the node
  bool original_zero;  // count features from zero, not from their median, if not normalised
  std::vector<double> gammas;
  int max_cycles;
  double tolerance;       // relative change of the score over a cycle that ends the search
  bool univariate;        // compete with the best univariate test
  std::int64_t min_rows;  // below the root, more rows than this for a combination; -1: 2 d
  bool keep_last;         // the last combination, not the best one seen
};

class CartLC : public Search {
 public:
  explicit CartLC(const CartLCOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  bool enough_rows(const Node& node, int depth) const;
  CartLCOptions options_;
};

}  // namespace aslant
