// Means and scatter matrices of some of a node's rows: what Fisher, QUEST, HHCART and least squares
// know of the data.
#pragma once

#include <cstdint>
#include <vector>

#include "node.hpp"

namespace aslant {

struct Moments {
  std::vector<double> mean;     // per column
  std::vector<double> scatter;  // symmetric: sum of w (x_i - mean_i) (x_j - mean_j)
  double weight = 0.0;          // sum of the weights w
};

// Of the given rows and columns.
Moments moments(const Node& node, const std::vector<int>& columns,
                const std::vector<std::uint32_t>& rows);

// Sum of weight (x - centre) (x - centre)' over the rows, `weight` holding one number for each.
std::vector<double> scatter_about(const Node& node, const std::vector<int>& columns,
                                  const std::vector<std::uint32_t>& rows,
                                  const std::vector<double>& centre,
                                  const std::vector<double>& weight);

// Of one column over all rows of the node.
struct Spread {
  double mean = 0.0, deviation = 0.0;
};
Spread spread(const Node& node, int column);

// The rows of each class.
std::vector<std::vector<std::uint32_t>> rows_by_class(const Node& node);

}  // namespace aslant
