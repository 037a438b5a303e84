// What the bindings of one tree and of many share.
#pragma once

#include <functional>

#include "bindings/boundary.hpp"
#include "grow.hpp"

namespace aslant {

// Looks for Ctrl-C and reports progress, at most twenty times a second.
std::function<void(std::int64_t)> outside_world(py::object progress);

// The arrays of a grown tree, moved into NumPy.
py::dict arrays_of(Growth&& growth, const Data& data);

StoppingRules stopping_rules(std::int64_t max_depth, std::int64_t min_samples_split,
                             double min_impurity_decrease, std::int64_t max_leaf_nodes);

}  // namespace aslant
