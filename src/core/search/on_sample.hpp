// A search for large nodes: on a sample of the rows first, finished on all of them.
#pragma once

#include "search/wrapper.hpp"

namespace aslant {

class OnSample : public Wrapper {
 public:
  // Nodes with more rows than `rows` are searched on a random sample of that many. `climbs`: after
  // the threshold, the coefficients too are moved to their best places on all rows.
  OnSample(SearchPointer search, std::size_t rows, bool climbs)
      : Wrapper(std::move(search)), rows_(rows), climbs_(climbs) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  std::size_t rows_;
  bool climbs_;
};

}  // namespace aslant
