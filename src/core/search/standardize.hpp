// Any search, on columns of mean 0 and deviation 1.
#pragma once

#include "search/capabilities.hpp"
#include "search/wrapper.hpp"

namespace aslant {

// Traits: as the inner search; no sparse tables; Wrapper, HasSmallNodeSearch.
// Reads: means and deviations of the present values, legacy; the inner search reads scaled columns.
// Writes: the inner split in node units; its score; the scales as legacy if the inner leaves one.
class Standardize : public Wrapper, public HasSmallNodeSearch {
 public:
  using Wrapper::Wrapper;

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  const ViewSearch* of_small_nodes() const override;
};

}  // namespace aslant
