// Any search, with every category as one number.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "search/wrapper.hpp"

namespace aslant {

// A node in which each category is one column of scores: its CRIMCOORD. Without categories it is
// the node itself.
class ScoredCategories {
 public:
  explicit ScoredCategories(const NodePointer& node);

  // With the scores of another node of the same tree.
  ScoredCategories(const NodePointer& node, const std::vector<std::vector<double>>& scores);
  std::vector<std::vector<double>> scores() const;  // of each category

  // The node's numbers and scores, in the order of the columns that they come from.
  const NodePointer& scored() const { return scored_; }

  // The category that a column of scored() stands for; null for a number.
  const CategoryGroup* category(int column) const { return columns_[column].category; }

  // A split of scored() as a split of the node: a score's coefficient becomes level weights.
  Split mapped_back(const Split& split) const;

 private:
  void make_scored(const NodePointer& node);  // from columns_

  struct Column {
    int first;                      // the node's column, or the first of the category's
    const CategoryGroup* category;  // null: a number
    std::vector<double> score;      // per level; 0, the mean, for levels that do not occur
    std::optional<KnownMoments> known;
  };

  std::vector<Column> columns_;
  NodePointer scored_;
};

class CrimCoords : public Wrapper {
 public:
  using Wrapper::Wrapper;

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
};

}  // namespace aslant
