// A search that needs classes, where numbers are to be predicted.
#pragma once

#include "search/wrapper.hpp"

namespace aslant {

class ResidualSigns : public Wrapper {
 public:
  // The classes are the rows above and below the mean of the node or, if `line`, its least-squares
  // line. `criterion` is that of the inner search.
  ResidualSigns(SearchPointer search, bool line, CriterionKind criterion)
      : Wrapper(std::move(search)), line_(line), criterion_(criterion) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  ChildLimits limits_at(const Node& node) const override { return node.limits(); }
  bool decides() const override { return false; }

 private:
  bool line_;
  CriterionKind criterion_;
};

}  // namespace aslant
