// C4.5's tests: thresholds, and a branch for every level of a category.
#pragma once

#include "search.hpp"

namespace aslant {

class C45 : public Search {
 public:
  // `min_cases`: weight that at least two branches must hold. `threshold_cost`: whether the gain of
  // a threshold pays for the choice among many (release 8), or not (the book).
  C45(double min_cases, bool threshold_cost)
      : min_cases_(min_cases), threshold_cost_(threshold_cost) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  bool has_own_finish() const override { return true; }
  std::optional<Split> finish_on_line(const Node& line) const override;
  std::optional<Split> finish_on_category(const Node& node,
                                          const CategoryGroup& group) const override;
  ChildLimits limits_at(const Node& node) const override;

 private:
  struct Test;
  Test number_test(const Node& node, int column, const double* x) const;
  Test category_test(const Node& node, const CategoryGroup& group) const;

  double min_cases_;
  bool threshold_cost_;
};

}  // namespace aslant
