// Searches around another search.
#pragma once

#include <memory>

#include "search.hpp"

namespace aslant {

// Says of itself what the inner search says; a subclass changes what it must.
class Wrapper : public Search {
 public:
  explicit Wrapper(SearchPointer search) : search_(std::move(search)) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override {
    return search_->find(node, context);
  }
  ChildLimits limits_at(const Node& node) const override { return search_->limits_at(node); }
  bool decides() const override { return search_->decides(); }

  const SearchPointer& search() const { return search_; }

 protected:
  SearchPointer search_;
};

}  // namespace aslant
