// The best univariate threshold in a small regression node.
#pragma once

#include "search/view_search.hpp"

namespace aslant {

// Finds what AxisParallel finds, but keeps only the best cut and stops when none can be better.
// Most nodes of a fully grown regression tree are that small.
// Traits: regression only; no sparse tables; does not decide; deterministic; ViewSearch.
// Reads: numeric features in place, a few at a time; targets, weights, limits.
// Writes: one-term hyperplanes; score = gain; no legacy.
class FewRows : public ViewSearch {
 public:
  static constexpr std::size_t kMostRows = 256;

  // `sign`: see AxisParallel.
  explicit FewRows(std::vector<int> sign = {}) : sign_(std::move(sign)) {}

  // Whether the node is small enough and has a regression target.
  static bool suits(const Node& node);

  bool find_in(const NodeView& node, const SearchContext& context, Split& split) const override;

 private:
  std::vector<int> sign_;
};

}  // namespace aslant
