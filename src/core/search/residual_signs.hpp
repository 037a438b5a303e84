// Runs a classification search on regression targets.
#pragma once

#include "search/wrapper.hpp"

namespace aslant {

// Traits: regression only; no sparse tables; does not decide; random as the inner search; Wrapper.
// Reads: residuals of all outputs; the inner search reads their signs as two classes.
// Writes: the inner direction with the best threshold, or machine; score = gain; the inner legacy.
class ResidualSigns : public Wrapper {
 public:
  // The classes are the signs of the residuals from the node's mean or, if `line`, from its
  // least-squares fit. `criterion` is that of the inner search.
  ResidualSigns(SearchPointer search, bool line, CriterionKind criterion)
      : Wrapper(std::move(search)), line_(line), criterion_(criterion) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  ChildLimits limits_at(const Node& node) const override { return node.limits(); }
  SearchTraits traits() const override { return {}; }

 private:
  bool line_;
  CriterionKind criterion_;
};

}  // namespace aslant
