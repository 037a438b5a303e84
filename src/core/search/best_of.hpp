// The best split of several searches.
#pragma once

#include <vector>

#include "search.hpp"

namespace aslant {

class BestOf : public Search {
 public:
  explicit BestOf(std::vector<SearchPointer> searches) : searches_(std::move(searches)) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  std::vector<Proposal> propose(const NodePointer& sample,
                                const SearchContext& context) const override;
  std::vector<const Search*> parts() const override;
  bool finishes_on_lines() const override;
  std::optional<Split> find_on_sample(const NodePointer& node, const NodePointer& sample,
                                      const SearchContext& context) const override;

 private:
  std::vector<SearchPointer> searches_;
};

}  // namespace aslant
