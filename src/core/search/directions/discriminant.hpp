// Fisher's linear discriminant between two groups of a node's classes.
#pragma once

#include <vector>

#include "node/node.hpp"

namespace aslant {

// The direction in which the group means lie farthest apart, relative to the spread within groups:
// a coefficient per column of the node, 0 outside `columns`; empty if the means agree. `group` is 0
// or 1 per class. `shrinks`: shrinks the correlations if training rows are few: see shrinkage.hpp.
std::vector<double> discriminant_direction(const Node& node, const std::vector<int>& columns,
                                           const std::vector<char>& group, bool shrinks);

}  // namespace aslant
