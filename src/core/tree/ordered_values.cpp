#include "tree/ordered_values.hpp"

#include <algorithm>
#include <limits>

namespace aslant {

namespace {

// One leaf, on the lower or the upper side.
struct Side {
  double value, weight;
  bool lower;
};

// Where both sides meet: the root of sum over lower leaves above c, and upper leaves below c, of
// weight * (c - value), which rises with c.
double meeting_point(std::vector<Side>& leaves) {
  std::sort(leaves.begin(), leaves.end(),
            [](const Side& a, const Side& b) { return a.value < b.value; });
  // With c between two neighbors, the lower leaves to the right and the upper leaves to the left
  // count.
  double weight = 0.0, sum = 0.0;
  for (const Side& leaf : leaves)
    if (leaf.lower) {
      weight += leaf.weight;
      sum += leaf.weight * leaf.value;
    }
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (weight > 0.0 && sum / weight <= leaves[i].value) return sum / weight;
    const double change = leaves[i].lower ? -leaves[i].weight : leaves[i].weight;
    weight += change;
    sum += change * leaves[i].value;
  }
  return leaves.back().value;
}

}  // namespace

std::vector<double> ordered_values(const Descendants& tree, const std::vector<int>& order,
                                   std::vector<double> value, const std::vector<double>& weight) {
  const std::size_t n = tree.n_nodes();
  std::vector<std::size_t> end(n);  // of the subtree: nodes are in preorder
  for (std::size_t node = n; node-- > 0;) {
    end[node] = node + 1;
    for (std::size_t c = 0; c < tree.width; ++c)
      if (tree.of(node)[c] >= 0) end[node] = std::max(end[node], end[tree.of(node)[c]]);
  }
  const auto is_leaf = [&](std::size_t node) { return tree.of(node)[0] < 0; };
  std::vector<Side> leaves;
  for (std::size_t node = n; node-- > 0;) {
    if (is_leaf(node) || order[node] == 0) continue;
    const std::size_t low = tree.of(node)[order[node] > 0 ? 0 : 1],
                      high = tree.of(node)[order[node] > 0 ? 1 : 0];
    leaves.clear();
    double most = -std::numeric_limits<double>::infinity(), least = -most;
    for (std::size_t leaf = node + 1; leaf < end[node]; ++leaf) {
      if (!is_leaf(leaf)) continue;
      const bool lower = leaf >= low && leaf < end[low];
      leaves.push_back({value[leaf], weight[leaf], lower});
      (lower ? most : least) = lower ? std::max(most, value[leaf]) : std::min(least, value[leaf]);
    }
    if (most <= least) continue;
    const double meeting = std::min(std::max(meeting_point(leaves), least), most);
    for (std::size_t leaf = low; leaf < end[low]; ++leaf)
      if (is_leaf(leaf)) value[leaf] = std::min(value[leaf], meeting);
    for (std::size_t leaf = high; leaf < end[high]; ++leaf)
      if (is_leaf(leaf)) value[leaf] = std::max(value[leaf], meeting);
  }
  for (std::size_t node = n; node-- > 0;) {
    if (is_leaf(node)) continue;
    double sum = 0.0, total = 0.0;
    for (std::size_t c = 0; c < tree.width; ++c) {
      const std::int32_t child = tree.of(node)[c];
      if (child < 0) continue;
      sum += weight[child] * value[child];
      total += weight[child];
    }
    if (total > 0.0) value[node] = sum / total;
  }
  return value;
}

}  // namespace aslant
