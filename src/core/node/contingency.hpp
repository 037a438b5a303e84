// Contingency table of a category's levels and the target of a node.
#pragma once

#include <cstdint>
#include <vector>

#include "node/node.hpp"

namespace aslant {

// Statistics (target.hpp) and row counts of every level, and of missing levels.
struct Contingency {
  Contingency(const Node& node, const CategoryGroup& group);

  const double* statistics(int level) const { return &statistics_[level * width]; }
  double at(int level, int k) const { return statistics_[level * width + k]; }
  // Weight of a level.
  double total(int level) const;

  int width;
  bool has_classes;
  std::vector<std::int64_t> rows;
  int missing;
  std::vector<int> present;  // levels that occur
  std::vector<int> classes;  // classes that occur

 private:
  void add_rows(const NodeTarget& target, const std::vector<std::int32_t>& code);
  void count_rows(const std::vector<std::int32_t>& label, const std::vector<std::int32_t>& code);

  std::vector<double> statistics_;
};

// First axis of the correspondence analysis with the classes: scores of the present levels that
// best separate the classes, up to scale and sign; zeros if levels and classes are independent.
std::vector<double> first_axis(const Contingency& table);

}  // namespace aslant
