// Clusters within the rows of a class.
#pragma once

#include <cstdint>
#include <vector>

#include "node/node.hpp"

namespace aslant {

constexpr int kAsManyAsThereAre = 0;  // all separate clusters, at most kMostClusters
constexpr int kMostClusters = 8;

// Divides the rows into at most `n_clusters` parts: bisects the part of greatest scatter again and
// again (bisecting k-means). Deterministic and independent of the order of the rows.
std::vector<std::vector<std::uint32_t>> clusters(const Node& node, const std::vector<int>& columns,
                                                 const std::vector<std::uint32_t>& rows,
                                                 int n_clusters);

}  // namespace aslant
