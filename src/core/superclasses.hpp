// Classes joined into two groups, for searches that know only two.
//
// W.-Y. Loh and Y.-S. Shih, Split Selection Methods for Classification Trees, Statistica Sinica 7,
// 1997: the class means are divided by 2-means clustering, starting from the two that are farthest
// apart; where all means agree, the most frequent class stands against the others.
#pragma once

#include <vector>

#include "node.hpp"

namespace aslant {

// How much a class counts: as published each the same, or as much as it weighs, so that a class
// with one stray row does not become a group of its own.
enum class ClassCount { equal, by_weight };

// Group of each class, 0 or 1; the heaviest class is in group 0. Distances are taken in units of
// the columns' standard deviations.
std::vector<char> superclasses(const Node& node, const std::vector<int>& columns,
                               ClassCount count = ClassCount::equal);

}  // namespace aslant
