// A category's levels against the classes of a node.
#pragma once

#include <cstdint>
#include <vector>

#include "node.hpp"

namespace aslant {

// Class weights and row counts of every level, and of the rows without one.
struct Contingency {
  Contingency(const Node& node, const CategoryGroup& group);

  double at(int level, int k) const { return weight[level * n_classes + k]; }
  double total(int level) const;

  int n_classes;
  std::vector<double> weight;
  std::vector<std::int64_t> rows;
  int missing;
  std::vector<int> present;  // levels that occur
  std::vector<int> classes;  // classes that occur
};

// First axis of the correspondence analysis: the scores of the levels present that separate the
// classes best, up to scale and sign; zeros where levels and classes are independent.
std::vector<double> first_axis(const Contingency& table);

}  // namespace aslant
