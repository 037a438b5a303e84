// Feature selection around any search: which columns a test reads.
#pragma once

#include <memory>

#include "search/wrapper.hpp"

namespace aslant {

struct SelectionOptions {
  enum class Method { sbe, sfs, dsbe, hss, cart };
  Method method;
  double accuracy_drop;     // elimination goes on while accuracy falls by no more than this
  double rows_per_feature;  // a test needs so many distinct rows for each of its columns
  int shortlist;            // elimination tries so many of the least columns; 0: all
  double beta;              // of CART's elimination
};

class SequentialSelection : public Wrapper {
 public:
  SequentialSelection(SearchPointer search, const SelectionOptions& options)
      : Wrapper(std::move(search)), options_(options) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  SelectionOptions options_;
};

}  // namespace aslant
