// Joins classes into two groups, for two-class searches.
//
// W.-Y. Loh and Y.-S. Shih, Split Selection Methods for Classification Trees, Statistica Sinica 7,
// 1997: the class means are divided by 2-means clustering, starting from the two that are farthest
// apart; where all means agree, the most frequent class stands against the others.
#pragma once

#include <vector>

#include "node/node.hpp"

namespace aslant {

// Weight of a class mean: equal as published, or by weight, so that a stray row forms no group.
enum class ClassCount { equal, by_weight };

// Group of each class, 0 or 1; the heaviest class is in group 0. Columns are standardized.
std::vector<char> superclasses(const Node& node, const std::vector<int>& columns,
                               ClassCount count = ClassCount::equal);

}  // namespace aslant
