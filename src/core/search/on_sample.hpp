// A search for large nodes: on a sample of the rows first, finished by line searches on all.
#pragma once

#include <memory>

#include "search.hpp"

namespace aslant {

class OnSample : public Search {
 public:
  // Nodes with more rows than `rows` are searched on a random sample of that many.
  OnSample(std::shared_ptr<const Search> search, std::size_t rows)
      : search_(std::move(search)), rows_(rows) {}

  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;
  bool reads_indicators() const override { return search_->reads_indicators(); }
  bool decides() const override { return search_->decides(); }

 private:
  std::shared_ptr<const Search> search_;
  std::size_t rows_;
};

}  // namespace aslant
