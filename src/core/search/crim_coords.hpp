// Any search, with every category encoded as one score.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "search/wrapper.hpp"

namespace aslant {

// A node with one score column per category, its CRIMCOORD; the node itself without categories.
class ScoredCategories {
 public:
  explicit ScoredCategories(const NodePointer& node);

  // Uses the scores of another node of the same tree.
  ScoredCategories(const NodePointer& node, const std::vector<std::vector<double>>& scores);
  std::vector<std::vector<double>> scores() const;  // of each category

  // Numeric columns and scores, in the order of their source columns.
  const NodePointer& scored() const { return scored_; }

  // The category behind a column of scored(); null for a numeric column.
  const CategoryGroup* category(int column) const { return columns_[column].category; }

  // Maps a split of scored() to the node: a score's coefficient becomes level weights.
  Split mapped_back(const Split& split) const;

 private:
  void make_scored(const NodePointer& node);  // from columns_

  struct Column {
    int first;                      // the node's column, or the first of the category's
    const CategoryGroup* category;  // null: numeric
    std::vector<double> score;      // per level; 0, the mean, for absent levels
    std::optional<KnownMoments> known;
  };

  std::vector<Column> columns_;
  NodePointer scored_;
};

// Traits: classes only; no sparse tables; otherwise as the inner search; Wrapper.
// Reads: class counts per level, numeric columns; the inner search reads the scored node.
// Writes: the inner split over level weights; its score; scores as legacy if the inner leaves one.
class CrimCoords : public Wrapper {
 public:
  using Wrapper::Wrapper;

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
};

}  // namespace aslant
