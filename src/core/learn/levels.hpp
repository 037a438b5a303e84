// Level indicators for learners: their product with a row depends on its level alone, so a category
// costs a row one addition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "node/node.hpp"

namespace aslant {

// A category with two or more columns in use. The pattern of a row: c + 1 for the level of the c-th
// column, 0 for all other levels, the last one for a missing level.
class LevelsInUse {
 public:
  explicit LevelsInUse(const LevelColumns& columns)
      : columns_(&columns), pattern_(columns.n_levels(), 0) {}

  // `place`: index among the requested columns.
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

  // A column's value for pattern 0, and its increments for its own and for a missing level.
  double off(std::size_t c) const { return columns_->off[level_[c]]; }
  double step(std::size_t c) const { return columns_->on[level_[c]] - off(c); }
  double missing_step(std::size_t c) const { return columns_->missing[level_[c]] - off(c); }

 private:
  const LevelColumns* columns_;
  std::vector<int> level_;
  std::vector<std::size_t> place_;
  std::vector<std::uint32_t> pattern_;  // of each level
};

// Numeric columns, read singly, and categories. One column of a category counts as numeric.
struct ColumnsByKind {
  std::vector<std::size_t> numbers;  // places among the columns
  std::vector<LevelsInUse> categories;
};
ColumnsByKind by_kind(const NodeColumns& node, const std::vector<int>& columns);

// Products of all rows with weight vectors over the constant and these columns, vector by vector.
std::vector<double> outputs_of(const Node& node, const std::vector<int>& columns,
                               const std::vector<double>& weights);

}  // namespace aslant
