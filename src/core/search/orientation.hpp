// How some rows lie in space: the eigenvectors of their covariance.
#pragma once

#include <cstdint>
#include <vector>

#include "node.hpp"

namespace aslant {

// Which covariance, and how many of its eigenvectors.
struct OrientationOptions {
  bool dominant;  // only the direction of greatest spread
  bool robust;    // spatial signs instead of the rows themselves: see orientation.cpp
  bool all_null;  // also directions without spread that the rows do not determine
  bool shrinks;   // only what is more than noise, where columns are many for the rows
};

// Unit vectors over `columns`, greatest spread first, the first component not negative. None if
// there are fewer than two different rows. Only directions that the rows determine: where several
// have no spread at all, any basis of that space would do, and none is returned unless asked for.
std::vector<std::vector<double>> orientations(const Node& node, const std::vector<int>& columns,
                                              const std::vector<std::uint32_t>& rows,
                                              const OrientationOptions& options);

}  // namespace aslant
