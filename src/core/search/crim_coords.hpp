// Any search, with every category as one number.
#pragma once

#include <memory>
#include <vector>

#include "search.hpp"

namespace aslant {

// A node in which each category is one column of scores: its CRIMCOORD.
class ScoredCategories {
 public:
  explicit ScoredCategories(const Node& node);

  // The node's numbers and scores, in the order of the columns that they come from.
  const std::shared_ptr<const Node>& scored() const { return scored_; }

  // The category that a column of scored() stands for; null for a number.
  const CategoryGroup* category(int column) const { return columns_[column].category; }

  // A split of scored() as a split of the node: a score's coefficient becomes level weights.
  Split mapped_back(const Split& split) const;

 private:
  struct Column {
    int first;                      // the node's column, or the first of the category's
    const CategoryGroup* category;  // null: a number
    std::vector<double> score;      // per level; 0, the mean, for levels that do not occur
  };

  std::vector<Column> columns_;
  std::shared_ptr<const Node> scored_;
};

class CrimCoords : public Search {
 public:
  explicit CrimCoords(std::shared_ptr<const Search> search) : search_(std::move(search)) {}

  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;
  bool reads_indicators() const override { return false; }  // only numbers and codes

 private:
  std::shared_ptr<const Search> search_;
};

}  // namespace aslant
