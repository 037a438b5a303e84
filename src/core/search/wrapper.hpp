// Searches around another search.
#pragma once

#include <memory>

#include "search/search.hpp"

namespace aslant {

// Forwards to the inner search; subclasses override what they change.
class Wrapper : public Search {
 public:
  explicit Wrapper(SearchPointer search) : search_(std::move(search)) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override {
    return search_->find(node, context);
  }
  ChildLimits limits_at(const Node& node) const override { return search_->limits_at(node); }
  // Derived columns are dense.
  SearchTraits traits() const override { return {search_->traits().decides, false}; }

  const SearchPointer& search() const { return search_; }

 protected:
  SearchPointer search_;
};

}  // namespace aslant
