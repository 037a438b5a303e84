// Fisher's linear discriminant between two groups of a node's classes.
#pragma once

#include <vector>

#include "node.hpp"

namespace aslant {

// The direction in which the means of the two groups lie farthest apart, relative to the spread
// within them: a coefficient for each of the node's columns, 0 for those not given. Empty if the
// means agree. `group` holds 0 or 1 for every class. With `shrinks` the correlations of the columns
// are shrunk towards zero if the training rows are few for them: see shrinkage.hpp.
std::vector<double> discriminant_direction(const Node& node, const std::vector<int>& columns,
                                           const std::vector<char>& group, bool shrinks);

}  // namespace aslant
