// The best split of several searches.
#pragma once

#include <vector>

#include "view_search.hpp"

namespace aslant {

// The same in nodes of few rows, which are read in place.
class BestOfSmallNodes : public ViewSearch {
 public:
  explicit BestOfSmallNodes(std::vector<const ViewSearch*> searches)
      : searches_(std::move(searches)) {}

  bool find_in(const NodeView& node, const SearchContext& context,
               Hyperplane& split) const override;

 private:
  std::vector<const ViewSearch*> searches_;
};

class BestOf : public Search {
 public:
  explicit BestOf(std::vector<SearchPointer> searches);

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  std::vector<Proposal> propose(const NodePointer& sample,
                                const SearchContext& context) const override;
  std::vector<const Search*> parts() const override;
  bool finishes_on_lines() const override;
  std::optional<Split> find_on_sample(const NodePointer& node, const NodePointer& sample,
                                      const SearchContext& context) const override;
  const ViewSearch* of_small_nodes() const override { return of_small_nodes_.get(); }

 private:
  std::vector<SearchPointer> searches_;
  std::unique_ptr<const ViewSearch> of_small_nodes_;  // null if one of them has none
};

}  // namespace aslant
