// Classes joined into two groups, for searches that know only two.
//
// W.-Y. Loh and Y.-S. Shih, Split Selection Methods for Classification Trees, Statistica Sinica 7,
// 1997: the class means are divided by 2-means clustering, starting from the two that are farthest
// apart; where all means agree, the most frequent class stands against the others.
#pragma once

#include <vector>

#include "node.hpp"

namespace aslant {

// Group of each class, 0 or 1; the heaviest class is in group 0. Classes that are absent, or alone
// with one other, cost nothing. Distances are taken in units of the columns' standard deviations.
std::vector<char> superclasses(const Node& node, const std::vector<int>& columns);

}  // namespace aslant
