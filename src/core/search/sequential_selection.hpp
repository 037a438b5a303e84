// Feature selection around any search: which columns a test reads.
#pragma once

#include <memory>

#include "search/wrapper.hpp"

namespace aslant {

struct SelectionOptions {
  enum class Method { sbe, sfs, dsbe, hss, cart };
  Method method;
  double accuracy_drop;     // elimination stops if accuracy falls by more
  double rows_per_feature;  // distinct rows that a test needs per column
  int shortlist;            // columns of least dispersion that elimination tries; 0: all
  double beta;              // of CART's elimination
};

// Traits: as the inner search; no sparse tables; Wrapper.
// Reads: varying columns in comparable units, distinct rows; the inner search reads subsets.
// Writes: the inner split over the selected columns; its score; no legacy.
class SequentialSelection : public Wrapper {
 public:
  SequentialSelection(SearchPointer search, const SelectionOptions& options)
      : Wrapper(std::move(search)), options_(options) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  SelectionOptions options_;
};

}  // namespace aslant
