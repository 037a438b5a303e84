// CART's linear combinations: one coefficient at a time, deterministic.
#pragma once

#include <vector>

#include "search.hpp"

namespace aslant {

struct CartLCOptions {
  bool normalize;  // (x - median) / interquartile range at the node
  std::vector<double> gammas;
  int max_cycles;
  double tolerance;  // relative change of the score over a cycle that ends the search
  bool univariate;   // compete with the best univariate test
};

class CartLC : public Search {
 public:
  explicit CartLC(const CartLCOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  CartLCOptions options_;
};

}  // namespace aslant
