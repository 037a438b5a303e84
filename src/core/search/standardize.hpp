// Any search, in units of the node's standard deviations.
#pragma once

#include <memory>

#include "search.hpp"

namespace aslant {

class Standardize : public Search {
 public:
  explicit Standardize(std::shared_ptr<const Search> search) : search_(std::move(search)) {}

  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;
  bool decides() const override { return search_->decides(); }

  const std::shared_ptr<const Search>& search() const { return search_; }

 private:
  std::shared_ptr<const Search> search_;
};

}  // namespace aslant
