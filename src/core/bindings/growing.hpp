// Shared by the bindings of trees and forests.
#pragma once

#include "bindings/boundary.hpp"
#include "bindings/outside_world.hpp"
#include "growth/grow.hpp"

namespace aslant {

// The arrays of a grown tree, moved into NumPy.
py::dict arrays_of(GrownTree&& growth, const Problem& problem);

StoppingRules stopping_rules(std::int64_t max_depth, std::int64_t min_samples_split,
                             double min_impurity_decrease, std::int64_t max_leaf_nodes);

}  // namespace aslant
