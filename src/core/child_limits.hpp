// Whether a child may exist: the one place that decides it.
#pragma once

#include <cstdint>

namespace aslant {

// What a child must hold for a split to be allowed.
struct ChildLimits {
  std::int64_t rows = 1;
  double weight = 0.0;

  bool allow(std::int64_t child_rows, double child_weight) const {
    // Sums of real weights may come out a little below zero.
    return child_rows >= rows && (child_weight >= weight || !(weight > 0.0));
  }
  // Both children of a node, given one of them.
  bool allow_both(std::int64_t rows0, double weight0, std::int64_t all_rows,
                  double all_weight) const {
    return allow(rows0, weight0) && allow(all_rows - rows0, all_weight - weight0);
  }
};

}  // namespace aslant
