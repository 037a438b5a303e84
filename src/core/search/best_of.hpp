// The best split of several searches.
#pragma once

#include <algorithm>
#include <vector>

#include "search/capabilities.hpp"
#include "search/view_search.hpp"

namespace aslant {

// The same for small nodes, read in place.
class BestOfSmallNodes : public ViewSearch {
 public:
  explicit BestOfSmallNodes(std::vector<const ViewSearch*> searches)
      : searches_(std::move(searches)) {}

  bool find_in(const NodeView& node, const SearchContext& context, Split& split) const override;

 private:
  std::vector<const ViewSearch*> searches_;
};

// Traits: as its searches; sparse if all; does not decide; CombinesSearches, HasSmallNodeSearch.
// Reads: what its searches read, in order, until a score cannot be exceeded.
// Writes: the split of highest score, with its legacy.
class BestOf : public Search, public CombinesSearches, public HasSmallNodeSearch {
 public:
  explicit BestOf(std::vector<SearchPointer> searches);

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  SearchTraits traits() const override {
    const auto reads_sparse = [](const SearchPointer& s) { return s->traits().reads_sparse; };
    return {false, std::all_of(searches_.begin(), searches_.end(), reads_sparse)};
  }
  const std::vector<SearchPointer>& searches() const override { return searches_; }
  const ViewSearch* of_small_nodes() const override { return of_small_nodes_.get(); }

 private:
  std::vector<SearchPointer> searches_;
  std::unique_ptr<const ViewSearch> of_small_nodes_;  // null if any search has none
};

}  // namespace aslant
