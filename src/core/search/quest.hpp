// QUEST: the split from discriminant analysis, of all variables or of the one that tests choose.
#pragma once

#include "search.hpp"
#include "search/quest_split_point.hpp"

namespace aslant {

struct QuestOptions {
  bool linear;  // a combination of all variables; else one variable
  SplitPoint split_point;
  double alpha;  // level of the tests that choose a variable
  bool shrinks;  // directions where columns are many for the rows
};

class Quest : public Search {
 public:
  explicit Quest(const QuestOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  bool has_own_finish() const override { return true; }
  std::optional<Split> finish_on_line(const Node& line) const override;

 private:
  std::optional<Split> divide(const Node& node, const std::vector<double>& direction,
                              const std::vector<char>& group) const;

  QuestOptions options_;
};

}  // namespace aslant
