// QUEST: the split from discriminant analysis, of all variables or of the one that tests choose.
#pragma once

#include "search.hpp"
#include "split_point.hpp"

namespace aslant {

struct QuestOptions {
  bool linear = true;  // a combination of all variables; else one variable
  SplitPoint split_point = SplitPoint::lda;
  double alpha = 0.05;  // level of the tests that choose a variable
};

class Quest : public Search {
 public:
  explicit Quest(const QuestOptions& options) : options_(options) {}
  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;
  bool reads_indicators() const override { return false; }  // categories are scored

 private:
  std::optional<Split> divide(const Node& node, const std::vector<double>& direction,
                              const std::vector<char>& group) const;

  QuestOptions options_;
};

}  // namespace aslant
