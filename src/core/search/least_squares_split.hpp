// Splits along the direction of a ridge regression.
#pragma once

#include "search/capabilities.hpp"
#include "search/view_search.hpp"

namespace aslant {

// For small nodes, where building columns costs more than the regression; standardizes them itself.
class LeastSquaresOfFewRows : public ViewSearch {
 public:
  explicit LeastSquaresOfFewRows(double ridge) : ridge_(ridge) {}

  bool find_in(const NodeView& node, const SearchContext& context, Split& split) const override;

 private:
  double ridge_;
};

// Traits: regression only; no sparse tables; does not decide; deterministic; SearchesSubsets.
// Reads: varying columns in comparable units, all outputs, weights, limits.
// Writes: hyperplanes; score = gain; no legacy.
class LeastSquaresSplit : public Search, public SearchesSubsets {
 public:
  // `ridge`: L2 penalty, relative to the rows' weight. The caller standardizes the columns.
  explicit LeastSquaresSplit(double ridge) : ridge_(ridge), of_few_rows_(ridge) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  std::unique_ptr<SubsetSearch> on_subsets(const NodePointer& node,
                                           const SearchContext& context) const override;

  // For small nodes under a standardizing wrapper.
  const ViewSearch* of_small_standardized_nodes() const { return &of_few_rows_; }

 private:
  double ridge_;
  LeastSquaresOfFewRows of_few_rows_;
};

}  // namespace aslant
