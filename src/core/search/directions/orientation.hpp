// Orientation of some rows: the eigenvectors of their covariance.
#pragma once

#include <cstdint>
#include <vector>

#include "node/node.hpp"

namespace aslant {

struct OrientationOptions {
  bool dominant;  // only the direction of greatest spread
  bool robust;    // spatial signs instead of the rows themselves: see orientation.cpp
  bool all_null;  // also null directions that the rows do not determine
  bool shrinks;   // only components above noise, with many columns for the rows
};

// Unit vectors over `columns`, greatest spread first, first component nonnegative; none for fewer
// than two distinct rows. Omits null directions that the rows do not determine, unless requested.
std::vector<std::vector<double>> orientations(const Node& node, const std::vector<int>& columns,
                                              const std::vector<std::uint32_t>& rows,
                                              const OrientationOptions& options);

}  // namespace aslant
