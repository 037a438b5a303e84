// QUEST's choice of the variable to split on: by tests of association, not by trying splits.
#pragma once

#include <vector>

#include "search/crim_coords.hpp"

namespace aslant {

// The chosen one of these columns of `categories.scored()`, which must not be empty.
int select_variable(const Node& node, const ScoredCategories& categories,
                    const std::vector<int>& columns, double alpha);

}  // namespace aslant
