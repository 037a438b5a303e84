// Minimal cost-complexity pruning: the alpha at which each node collapses; see
// aslant/prune/sequence.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/span.hpp"

namespace aslant {

// The children of each node, `width` per node, -1 for none; a child comes after its parent.
struct Descendants {
  Span<std::int32_t> children;
  std::size_t width;

  std::size_t n_nodes() const { return children.size() / width; }
  const std::int32_t* of(std::size_t node) const { return children.data() + node * width; }
};

// The alpha (penalty per leaf) at which each node collapses; `risk` is that of the nodes as leaves.
// Infinity at leaves, and at a root that stays. Alphas within the relative tolerance `tie` are
// equal.
std::vector<double> collapse_alphas(const Descendants& tree, const std::vector<double>& risk,
                                    bool keep_root, double tie);

// Minimum value among the proper ancestors of each node.
std::vector<double> least_above(const Descendants& tree, const std::vector<double>& value,
                                double at_root);

}  // namespace aslant
