// Restricts a search to numeric columns and complete rows.
#pragma once

#include "search/wrapper.hpp"

namespace aslant {

// Traits: as the inner search; no sparse tables; Wrapper.
// Reads: numeric columns and the rows without missing values; all rows for the score.
// Writes: the inner split; score = gain on all rows; legacy only if nothing was restricted.
class CompleteCases : public Wrapper {
 public:
  using Wrapper::Wrapper;
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
};

}  // namespace aslant
