// QUEST: splits by discriminant analysis, of all variables or of one chosen by tests.
#pragma once

#include "search/capabilities.hpp"
#include "search/quest_split_point.hpp"

namespace aslant {

struct QuestOptions {
  bool linear;  // a combination of all variables; else one variable
  SplitPoint split_point;
  double alpha;  // level of the tests that choose a variable
  bool shrinks;  // regularizes directions with many columns for the rows
};

// Traits: classes only; no sparse tables; does not decide; deterministic; OwnFinish.
// Reads: numeric columns and CRIMCOORDs of categories, class moments, limits.
// Writes: hyperplanes, over level weights for categories; score = gain; no legacy.
class Quest : public Search, public OwnFinish {
 public:
  explicit Quest(const QuestOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  std::optional<Split> finish_on_line(const Node& line) const override;

 private:
  std::optional<Split> divide(const Node& node, const std::vector<double>& direction,
                              const std::vector<char>& group) const;

  QuestOptions options_;
};

}  // namespace aslant
