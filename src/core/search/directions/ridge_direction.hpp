// A direction along which targets differ: ridge regression, or Fisher's discriminant with a ridge.
#pragma once

#include <vector>

#include "node/node_view.hpp"
#include "search/drawn_columns.hpp"
#include "support/rng.hpp"

namespace aslant {

// w = (T + (ridge + 0.5 / n) I)^-1 d on standardized columns with covariance T; d is the difference
// of two means, or the covariance with the regression target. With more than two classes d
// separates two random groups of classes, or two random classes under the within-class covariance.
// Large nodes use every k-th row. Returns coefficients of the first `n_columns` raw columns.
std::vector<double>& ridge_direction(const NodeView& node, const DrawnColumns& columns,
                                     int n_columns, double ridge, Rng& rng);

}  // namespace aslant
