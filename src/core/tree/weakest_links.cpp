// L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, 1984, ch.
// 3. One walk from the leaves to the root. At infinite alpha, a node's branch is reduced to its
// children. As alpha falls, collapses below the node that would come later than its own never
// happen: they are undone, latest first.

#include "tree/weakest_links.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace aslant {

namespace {

struct Collapse {
  double alpha;
  std::size_t node;
  double leaves, risk;  // removed, and added

  // Heap order: latest collapse first, ties by the first node.
  bool operator<(const Collapse& other) const {
    return std::tie(alpha, other.node) < std::tie(other.alpha, node);
  }
};
using Heap = std::vector<Collapse>;

void push(Heap& heap, const Collapse& collapse) {
  heap.push_back(collapse);
  std::push_heap(heap.begin(), heap.end());
}

Collapse pop(Heap& heap) {
  std::pop_heap(heap.begin(), heap.end());
  const Collapse latest = heap.back();
  heap.pop_back();
  return latest;
}

// The risk of a node as a leaf, and of its remaining branch.
struct Branch {
  double node_risk, risk = 0.0, leaves = 0.0;

  double added() const { return node_risk - risk; }
  // Risk added per leaf removed, g(t); exactly 0 within rounding.
  double rate(double tie) const {
    return std::abs(added()) <= tie * std::abs(node_risk) ? 0.0 : added() / (leaves - 1.0);
  }
};

}  // namespace

std::vector<double> collapse_alphas(const Descendants& tree, const std::vector<double>& risk,
                                    bool keep_root, double tie) {
  std::vector<double> alpha(tree.n_nodes(), std::numeric_limits<double>::infinity());
  std::vector<Heap> below(tree.n_nodes());
  for (std::size_t node = tree.n_nodes(); node-- > (keep_root ? 1u : 0u);) {
    Branch branch{risk[node]};
    Heap& collapses = below[node];
    for (std::size_t c = 0; c < tree.width; ++c) {
      const std::int32_t child = tree.of(node)[c];
      if (child < 0) continue;
      branch.risk += risk[child];
      branch.leaves += 1.0;
      // Merges the smaller heap into the larger.
      Heap poured = std::move(below[child]);
      if (poured.size() > collapses.size()) std::swap(poured, collapses);
      for (const Collapse& collapse : poured) push(collapses, collapse);
    }
    if (branch.leaves == 0.0) continue;
    double rate = branch.rate(tie);
    while (!collapses.empty() && collapses.front().alpha > rate + tie * std::abs(rate)) {
      const Collapse latest = pop(collapses);
      branch.risk -= latest.risk;
      branch.leaves += latest.leaves;
      rate = branch.rate(tie);
    }
    // Despite rounding, a node never collapses before its remaining descendants.
    if (!collapses.empty()) rate = std::max(rate, collapses.front().alpha);
    push(collapses, {rate, node, branch.leaves - 1.0, branch.added()});
    alpha[node] = std::max(rate, 0.0);
  }
  return alpha;
}

std::vector<double> least_above(const Descendants& tree, const std::vector<double>& value,
                                double at_root) {
  std::vector<double> least(tree.n_nodes(), at_root);
  for (std::size_t node = 0; node < tree.n_nodes(); ++node)
    for (std::size_t c = 0; c < tree.width; ++c)
      if (const std::int32_t child = tree.of(node)[c]; child >= 0)
        least[child] = std::min(least[node], value[node]);
  return least;
}

}  // namespace aslant
