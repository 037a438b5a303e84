// A search that sees numbers and complete rows only.
#pragma once

#include "search/wrapper.hpp"

namespace aslant {

class CompleteCases : public Wrapper {
 public:
  using Wrapper::Wrapper;
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
};

}  // namespace aslant
