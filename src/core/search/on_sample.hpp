// Searches large nodes on a sample of the rows, then finishes on all rows.
#pragma once

#include "search/wrapper.hpp"

namespace aslant {

// Traits: as the inner search; no sparse tables; random sample; Wrapper.
// Reads: a sample of the rows for the inner search, all rows for the finish.
// Writes: the inner split, finished; score = gain on all rows; the inner legacy.
class OnSample : public Wrapper {
 public:
  // Nodes with more than `rows` rows are searched on a sample of that size. `climbs`: also refines
  // the coefficients on all rows.
  OnSample(SearchPointer search, std::size_t rows, bool climbs)
      : Wrapper(std::move(search)), rows_(rows), climbs_(climbs) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  std::size_t rows_;
  bool climbs_;
};

}  // namespace aslant
