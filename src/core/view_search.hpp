// Searches that run at very many nodes: see NodeView.
#pragma once

#include <algorithm>
#include <vector>

#include "node_view.hpp"
#include "search.hpp"

namespace aslant {

// A hyperplane while it is looked for; its memory is used again.
struct Hyperplane {
  std::vector<std::int32_t> columns;
  std::vector<double> coefs;
  double threshold = 0.0, score = 0.0;

  void clear() {
    columns.clear();
    coefs.clear();
  }
  void add(int column, double coef) {
    columns.push_back(column);
    coefs.push_back(coef);
  }
};

// The same as the growth loop keeps it: columns ascend, a coefficient of zero is none.
inline Split hyperplane(const Hyperplane& plane) {
  Split split;
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < plane.columns.size(); ++c)
    if (plane.coefs[c] != 0.0) order.push_back(c);
  std::sort(order.begin(), order.end(),
            [&plane](std::size_t a, std::size_t b) { return plane.columns[a] < plane.columns[b]; });
  for (std::size_t c : order) {
    split.columns.push_back(plane.columns[c]);
    split.coefs.push_back(plane.coefs[c]);
  }
  split.offsets = {plane.threshold};
  split.score = plane.score;
  return split;
}

class ViewSearch : public Search {
 public:
  // Whether there is a split, which is then written; its columns come in any order.
  virtual bool find_in(const NodeView& node, const SearchContext& context,
                       Hyperplane& split) const = 0;

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override {
    Hyperplane found;
    if (!find_in(NodeWithColumns(*node), context, found)) return std::nullopt;
    Split split = hyperplane(found);
    if (split.columns.empty() || !split.finite()) return std::nullopt;
    return split;
  }
};

}  // namespace aslant
