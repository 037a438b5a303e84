// Leaf values in the order that monotone tests demand: isotonic regression on the leaves of a tree.
#pragma once

#include <vector>

#include "tree/weakest_links.hpp"

namespace aslant {

// The values nearest to those given, in weighted squares, for which at every node of order 1 no
// leaf below child 0 exceeds a leaf below child 1, and the reverse at nodes of order -1. A tree
// with such values is monotone in every feature whose coefficients point to the upper child, with
// hard tests and with sigmoid gates: its derivative is gate' (upper - lower) plus an average of
// derivatives below, and every value of the upper subtree is an average of its leaves.
//
// R. E. Barlow, D. J. Bartholomew, J. M. Bremner and H. D. Brunk, Statistical Inference under Order
// Restrictions, 1972. The solution under a bound is the solution without it, clipped; so two
// ordered subtrees are joined by clipping both at the constant of least squares. Inner nodes get
// the weighted mean of their children.
std::vector<double> ordered_values(const Descendants& tree, const std::vector<int>& order,
                                   std::vector<double> value, const std::vector<double>& weight);

}  // namespace aslant
