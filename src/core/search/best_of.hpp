// The best of several searches by score; the first one wins ties.
#pragma once

#include <memory>
#include <vector>

#include "search.hpp"

namespace aslant {

class BestOf : public Search {
 public:
  explicit BestOf(std::vector<std::shared_ptr<const Search>> searches)
      : searches_(std::move(searches)) {}

  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;
  bool reads_indicators() const override;

 private:
  std::vector<std::shared_ptr<const Search>> searches_;
};

}  // namespace aslant
