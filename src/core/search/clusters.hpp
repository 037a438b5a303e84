// The parts into which the rows of a class fall.
#pragma once

#include <cstdint>
#include <vector>

#include "node.hpp"

namespace aslant {

constexpr int kAsManyAsThereAre = 0;  // clusters that stand apart, at most kMostClusters
constexpr int kMostClusters = 8;

// Divides the rows into `n_clusters` parts, or fewer if no more can be told apart: the part of the
// greatest scatter is halved again and again (bisecting k-means). Nothing is random, and nothing
// depends on the order of the rows.
std::vector<std::vector<std::uint32_t>> clusters(const Node& node, const std::vector<int>& columns,
                                                 const std::vector<std::uint32_t>& rows,
                                                 int n_clusters);

}  // namespace aslant
