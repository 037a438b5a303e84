// The best threshold of one number in a node of few rows, where numbers are predicted.
#pragma once

#include "view_search.hpp"

namespace aslant {

// Finds what AxisParallel finds, but keeps nothing of a feature but its best cut, and looks no
// further when no cut can be better. Such nodes are most of a tree that is grown until every leaf
// predicts one number.
class FewRows : public ViewSearch {
 public:
  // Whether the rows are few enough, and of this kind.
  static bool suits(const Node& node);

  bool find_in(const NodeView& node, const SearchContext& context,
               Hyperplane& split) const override;
};

}  // namespace aslant
