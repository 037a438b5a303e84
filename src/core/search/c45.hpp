// C4.5's tests: thresholds, and a branch for every level of a category.
#pragma once

#include "search/average_gain.hpp"
#include "search/capabilities.hpp"

namespace aslant {

// Traits: classes only; reads sparse tables; does not decide; deterministic; OwnFinish.
// Reads: one column or category at a time, class weights, limits.
// Writes: hyperplanes or machines over levels; score = gain, choice by gain ratio; no legacy.
class C45 : public Search, public OwnFinish {
 public:
  // `min_cases`: weight that at least two branches must hold. `threshold_cost`: subtracts the cost
  // of choosing among many thresholds from the gain (release 8); false: as in the book.
  C45(double min_cases, bool threshold_cost)
      : min_cases_(min_cases), threshold_cost_(threshold_cost) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  SearchTraits traits() const override { return {false, true}; }  // reads sparse tables
  std::optional<Split> finish_on_line(const Node& line) const override;
  std::optional<Split> finish_on_category(const Node& node,
                                          const CategoryGroup& group) const override;
  ChildLimits limits_at(const Node& node) const override;

 private:
  GainTest number_test(const Node& node, int column, const double* x) const;
  GainTest number_test(const Node& node, int column, const SparseColumn& x) const;
  GainTest threshold_test(const Node& node, int column, const LineOptimum& best, const Part& child0,
                          std::size_t n_distinct) const;
  GainTest category_test(const Node& node, const CategoryGroup& group) const;

  double min_cases_;
  bool threshold_cost_;
};

}  // namespace aslant
