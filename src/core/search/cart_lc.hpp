// CART's linear combinations: one coefficient at a time, deterministic.
#pragma once

#include <vector>

#include "search.hpp"

namespace aslant {

struct CartLCOptions {
  bool normalize = false;  // (x - median) / interquartile range at the node
  std::vector<double> gammas = {-0.25, 0.0, 0.25};
  int max_cycles = 100;
  double tolerance = 1e-4;  // relative change of the score over a cycle that ends the search
  bool univariate = true;   // compete with the best univariate test
};

class CartLC : public Search {
 public:
  explicit CartLC(const CartLCOptions& options) : options_(options) {}
  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;

 private:
  CartLCOptions options_;
};

}  // namespace aslant
