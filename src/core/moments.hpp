// What several searches know of a node's columns: means, deviations, quantiles, scatter matrices.
#pragma once

#include <cstdint>
#include <vector>

#include "mean.hpp"
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

// Weighted mean of each column over some of the rows.
std::vector<double> means_of(const Node& node, const std::vector<int>& columns,
                             const std::vector<std::uint32_t>& rows);

// Sum of weight (x - centre) (x - centre)' over the rows, `weight` holding one number for each.
std::vector<double> scatter_about(const Node& node, const std::vector<int>& columns,
                                  const std::vector<std::uint32_t>& rows,
                                  const std::vector<double>& centre,
                                  const std::vector<double>& weight);

// Of one column over all rows of the node.
Spread spread(const Node& node, int column);

// Of the indicators of a category, from what the rows of each level weigh.
std::vector<Spread> spreads(const Node& node, const CategoryGroup& group);

// Standard deviation of a column over all rows the tree is grown on. What a wrapper made of the
// columns is known for the rows here only, and they stand in for the rest.
double training_deviation(const Node& node, int column);

// The value of a column below or at which a share of the weight lies: one of the column's own
// values, so that it depends neither on the order of rows nor on whether copies are weighted.
double quantile(const Node& node, int column, double share);

// How many rows differ from each other, counted up to a limit. Counting distinct rows, not rows,
// makes a row of weight 2 the same as the row twice.
std::size_t distinct_rows(const Node& node, std::size_t limit);

// Mean of x over the rows of each class.
std::vector<double> class_means(const NodeTarget& target, const double* x);

// The rows of each class, and all rows.
std::vector<std::vector<std::uint32_t>> rows_by_class(const Node& node);
std::vector<std::uint32_t> all_rows(const Node& node);

// Classes that occur, heaviest first, so that what is made of them does not depend on their names.
std::vector<int> classes_by_weight(const NodeTarget& target);

}  // namespace aslant
