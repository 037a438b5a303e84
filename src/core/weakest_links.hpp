// The prices at which the nodes of a tree collapse; see aslant/prune/sequence.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "span.hpp"

namespace aslant {

// The children of each node, `width` places for every one, -1 where there is none; a child comes
// after its parent.
struct Descendants {
  Span<std::int32_t> children;
  std::size_t width;

  std::size_t n_nodes() const { return children.size() / width; }
  const std::int32_t* of(std::size_t node) const { return children.data() + node * width; }
};

// Price of a leaf at which each node would collapse, `risk` being that of the nodes as leaves;
// infinity at leaves, and at a root that stays. Prices that differ by less than the share `tie` are
// equal but for rounding.
std::vector<double> collapse_prices(const Descendants& tree, const std::vector<double>& risk,
                                    bool keep_root, double tie);

// Least value among the proper ancestors of each node.
std::vector<double> least_above(const Descendants& tree, const std::vector<double>& value,
                                double at_root);

}  // namespace aslant
