// Any search, on a few features drawn anew at every node.
#pragma once

#include "search/wrapper.hpp"

namespace aslant {

class RandomSubset : public Wrapper {
 public:
  // `max_features` 0: the square root of all.
  RandomSubset(SearchPointer search, double max_features)
      : Wrapper(std::move(search)), max_features_(max_features) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  double max_features_;
};

}  // namespace aslant
