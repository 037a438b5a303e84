// Any search, on a fresh random subset of features at every node.
#pragma once

#include "search/wrapper.hpp"

namespace aslant {

// Traits: as the inner search, sparse tables too; random; Wrapper.
// Reads: the drawn features that vary; the inner search sees the others as constant.
// Writes: the inner split and its score; legacy only if all features are drawn.
class RandomSubset : public Wrapper {
 public:
  // `max_features` 0: the square root of all.
  RandomSubset(SearchPointer search, double max_features)
      : Wrapper(std::move(search)), max_features_(max_features) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  SearchTraits traits() const override { return search_->traits(); }

 private:
  double max_features_;
};

}  // namespace aslant
