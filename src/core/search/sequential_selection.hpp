// Feature selection around any search: which columns a test reads.
#pragma once

#include <memory>

#include "search.hpp"

namespace aslant {

struct SelectionOptions {
  enum class Method { sbe, sfs, dsbe, hss, cart };
  Method method = Method::sbe;
  double accuracy_drop = 0.1;     // elimination goes on while accuracy falls by no more than this
  double rows_per_feature = 2.0;  // a test needs so many distinct rows for each of its columns
  int shortlist = 0;              // elimination tries so many of the least columns; 0: all
  double beta = 0.2;              // of CART's elimination
};

class SequentialSelection : public Search {
 public:
  SequentialSelection(std::shared_ptr<const Search> search, const SelectionOptions& options)
      : search_(std::move(search)), options_(options) {}

  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;

 private:
  std::shared_ptr<const Search> search_;
  SelectionOptions options_;
};

}  // namespace aslant
