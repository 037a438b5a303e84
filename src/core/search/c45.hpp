// Quinlan's C4.5: the best gain ratio among the tests of at least average gain.
#pragma once

#include "search.hpp"

namespace aslant {

class C45 : public Search {
 public:
  // `min_cases`: weight that at least two branches must hold. `threshold_cost`: whether the gain of
  // a threshold pays for the choice among many (release 8), or not (the book).
  C45(double min_cases, bool threshold_cost)
      : min_cases_(min_cases), threshold_cost_(threshold_cost) {}

  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;
  bool reads_indicators() const override { return false; }

 private:
  struct Candidate;
  Candidate number_test(const Node& node, int column) const;
  Candidate category_test(const Node& node, const CategoryGroup& group) const;

  double min_cases_;
  bool threshold_cost_;
};

}  // namespace aslant
