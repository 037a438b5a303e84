// A direction along which the targets of a node differ: Fisher's linear discriminant, or the least
// squares of a number, with a ridge.
#pragma once

#include <vector>

#include "node_view.hpp"
#include "rng.hpp"
#include "search/drawn_columns.hpp"

namespace aslant {

// w = (T + (ridge + 0.5 / n) I)^-1 d on columns of mean 0 and deviation 1, T their covariance and d
// the difference of two means, or the covariance with the number to predict. With more than two
// classes d parts two groups of classes at random, or two classes at random with the covariance
// within the classes. Of many rows every k-th is looked at.
//
// Returns the coefficients for the columns as they are, one for each of the first `n_columns`.
const std::vector<double>& ridge_direction(const NodeView& node, const DrawnColumns& columns,
                                           int n_columns, double ridge, Rng& rng);

}  // namespace aslant
