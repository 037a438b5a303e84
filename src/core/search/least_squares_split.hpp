// The direction in which a linear function of the columns predicts the target, where it is numbers.
#pragma once

#include "view_search.hpp"

namespace aslant {

// The search in a node of few rows, where making columns would cost more than the regression. The
// columns are standardised here, so that `ridge` is as below.
class LeastSquaresOfFewRows : public ViewSearch {
 public:
  explicit LeastSquaresOfFewRows(double ridge) : ridge_(ridge) {}

  bool find_in(const NodeView& node, const SearchContext& context,
               Hyperplane& split) const override;

 private:
  double ridge_;
};

class LeastSquaresSplit : public Search {
 public:
  // `ridge`: penalty on squared coefficients, as a share of the rows' weight. The columns must be
  // in comparable units: the caller standardises them.
  explicit LeastSquaresSplit(double ridge) : ridge_(ridge), of_few_rows_(ridge) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  std::unique_ptr<SubsetSearch> on_subsets(const NodePointer& node,
                                           const SearchContext& context) const override;

  // What a wrapper that standardises has for small nodes.
  const ViewSearch* of_small_standardized_nodes() const { return &of_few_rows_; }

 private:
  double ridge_;
  LeastSquaresOfFewRows of_few_rows_;
};

}  // namespace aslant
