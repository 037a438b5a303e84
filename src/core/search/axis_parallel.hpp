// Best test of one feature: x <= t for a number, x in A for a category.
#pragma once

#include "search.hpp"

namespace aslant {

class AxisParallel : public Search {
 public:
  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;
  bool reads_indicators() const override { return false; }
};

// Best threshold on one numeric column, scored by `search`; nothing if the column is constant. A
// best score below `floor` need not be found.
std::optional<Split> best_threshold(const Node& node, LineSearch search, int column,
                                    double floor = LineSearch::kAnyScore);

// Best of the subsets of levels that are tried (see the .cpp file) as a test "x in A".
std::optional<Split> best_subset(const Node& node, const CategoryGroup& group);

}  // namespace aslant
