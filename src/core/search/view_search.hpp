// Searches that read nodes in place: see NodeView.
#pragma once

#include "node/node_view.hpp"
#include "search/search.hpp"

namespace aslant {

class ViewSearch : public Search {
 public:
  // Whether a split exists; writes it to `split`, a hyperplane with columns in any order.
  virtual bool find_in(const NodeView& node, const SearchContext& context, Split& split) const = 0;

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override {
    Split split;
    if (!find_in(NodeWithColumns(*node), context, split)) return std::nullopt;
    split.sort_terms();
    if (split.is_constant() || !split.finite()) return std::nullopt;
    return split;
  }
};

}  // namespace aslant
