// QUEST's choice of the variable to split on: by tests of association, not by trying splits.
#pragma once

#include <vector>

#include "search/crim_coords.hpp"

namespace aslant {

// Selects one of these columns of `categories.scored()`; there must be at least one.
int select_variable(const Node& node, const ScoredCategories& categories,
                    const std::vector<int>& columns, double alpha);

}  // namespace aslant
