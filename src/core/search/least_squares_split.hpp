// The direction in which a linear function of the columns predicts the target, where it is numbers.
#pragma once

#include "search.hpp"

namespace aslant {

class LeastSquaresSplit : public Search {
 public:
  // `ridge`: penalty on squared coefficients, as a share of the rows' weight. The columns must be
  // in comparable units: the caller standardises them.
  explicit LeastSquaresSplit(double ridge) : ridge_(ridge) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  std::unique_ptr<SubsetSearch> on_subsets(const NodePointer& node,
                                           const SearchContext& context) const override;

 private:
  double ridge_;
};

}  // namespace aslant
