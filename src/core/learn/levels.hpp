// Columns that are levels of a category, for learners: what they add to the product with a row is a
// matter of its level, so that a category costs a row one addition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "node.hpp"

namespace aslant {

// A category of which two columns or more are in use. What a row has in these is its pattern:
// pattern c + 1 that of the level of the c-th of them, pattern 0 that of all other levels, the last
// one that of rows without a level.
class LevelsInUse {
 public:
  explicit LevelsInUse(const LevelColumns& columns)
      : columns_(&columns), pattern_(columns.n_levels(), 0) {}

  // `place`: of the column among those that were asked for.
  void use(int level, std::size_t place) {
    level_.push_back(level);
    place_.push_back(place);
    pattern_[level] = static_cast<std::uint32_t>(level_.size());
  }

  std::size_t size() const { return level_.size(); }
  std::size_t place(std::size_t c) const { return place_[c]; }
  std::size_t missing() const { return size() + 1; }
  std::size_t n_patterns() const { return size() + 2; }

  const LevelColumns& columns() const { return *columns_; }
  std::uint32_t pattern(std::int32_t code) const {
    return code < 0 ? static_cast<std::uint32_t>(missing()) : pattern_[code];
  }

  // What a row of pattern 0 has in a column, and what others have more: those of the column's own
  // level there, those without a level anywhere.
  double off(std::size_t c) const { return columns_->off[level_[c]]; }
  double step(std::size_t c) const { return columns_->on[level_[c]] - off(c); }
  double missing_step(std::size_t c) const { return columns_->missing[level_[c]] - off(c); }

 private:
  const LevelColumns* columns_;
  std::vector<int> level_;
  std::vector<std::size_t> place_;
  std::vector<std::uint32_t> pattern_;  // of the rows of each level
};

// Some of a node's columns: those to be read one by one, and categories. What is left of a category
// if it is one column is a number like others.
struct ColumnsByKind {
  std::vector<std::size_t> numbers;  // places among the columns
  std::vector<LevelsInUse> categories;
};
ColumnsByKind by_kind(const NodeColumns& node, const std::vector<int>& columns);

// The products of all rows with weight vectors over the constant and some columns, one vector after
// the other.
std::vector<double> outputs_of(const Node& node, const std::vector<int>& columns,
                               const std::vector<double>& weights);

}  // namespace aslant
