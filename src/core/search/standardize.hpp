// Any search, on columns of mean 0 and deviation 1.
#pragma once

#include "search/wrapper.hpp"

namespace aslant {

class Standardize : public Wrapper {
 public:
  using Wrapper::Wrapper;

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  const ViewSearch* of_small_nodes() const override;
};

}  // namespace aslant
