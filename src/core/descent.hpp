// Rows that descend through hyperplanes in blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "lanes.hpp"

namespace aslant {

// The hyperplanes of a tree as prediction reads them. Both children of a leaf are the leaf itself,
// so rows that have arrived may take further steps with others that have not.
struct Hyperplanes {
  struct Step {
    double threshold;
    std::int64_t first;  // of the node's coefficients; all leaves share one vector of zeros
    std::int32_t child[2];
  };

  int width = 0;  // columns, and zeros up to a multiple of kLanes
  int depth = 0;  // tests that a row may have to pass
  AlignedVector coef;
  std::vector<Step> steps;  // one a node
};

constexpr int kRowsTogether = 8;

// Moves a block of rows, `width` values each, from the nodes in `node` to their leaves. What the
// last test of a row came to is in `value`: not a number if the row has a missing value, in
// whatever column, because zero coefficients take part too.
void descend(const Hyperplanes& hyperplanes, const double* block, std::int32_t* node,
             double* value);

}  // namespace aslant
