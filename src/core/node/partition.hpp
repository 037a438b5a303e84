// The parts of a partition, and the score of the partition.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "node/node.hpp"

namespace aslant {

// The part of rows i with inside(i). `part` is overwritten.
template <class Inside>
void count_part(const NodeTarget& target, const Inside& inside, Part& part) {
  part.rows = 0;
  part.statistics.assign(target.width(), 0.0);
  if (!target.has_classes()) {
    for (std::size_t i = 0; i < target.n_rows(); ++i)
      if (inside(i)) {
        ++part.rows;
        target.add(i, part.statistics.data());
      }
    return;
  }
  // Branchless: membership is unpredictable.
  const std::int32_t* label = target.label().data();
  const double* weight = target.weight().empty() ? nullptr : target.weight().data();
  for (std::size_t i = 0; i < target.n_rows(); ++i) {
    const bool is_inside = inside(i);
    part.statistics[label[i]] += is_inside ? (weight ? weight[i] : 1.0) : 0.0;
    part.rows += is_inside;
  }
}

template <class Inside>
Part part_where(const NodeTarget& target, const Inside& inside) {
  Part part;
  count_part(target, inside, part);
  return part;
}

// All parts of a partition into n; row i is in part child_of(i).
template <class ChildOf>
std::vector<Part> parts_by(const NodeTarget& target, std::size_t n, const ChildOf& child_of) {
  std::vector<Part> parts(n, {0, std::vector<double>(target.width(), 0.0)});
  for (std::size_t i = 0; i < target.n_rows(); ++i) {
    Part& part = parts[child_of(i)];
    ++part.rows;
    target.add(i, part.statistics.data());
  }
  return parts;
}

// The children of any split, in column units.
std::vector<Part> children_of(const Node& node, const Split& split);

// Whether a part may be a child.
bool is_allowed(const Node& node, const Part& part, const ChildLimits& limits);

// The score of a binary partition, given child 0: nothing if a child is too small.
std::optional<double> score_of(const Node& node, const Part& child0);

// The score of a partition into any number of children: 0 if all rows go to one.
double score_of(const Node& node, const std::vector<Part>& children);

}  // namespace aslant
