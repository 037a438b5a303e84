// Moments of a node's columns: means, deviations, quantiles, scatter matrices.
#pragma once

#include <cstdint>
#include <vector>

#include "node/node.hpp"
#include "support/mean.hpp"

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

// Sum of weight (x - centre) (x - centre)' over the rows, with one weight per row.
std::vector<double> scatter_about(const Node& node, const std::vector<int>& columns,
                                  const std::vector<std::uint32_t>& rows,
                                  const std::vector<double>& centre,
                                  const std::vector<double>& weight);

// Of one column over all rows of the node.
Spread spread(const Node& node, int column);

// Of the indicators of a category, from the weights of its levels.
std::vector<Spread> spreads(const Node& node, const CategoryGroup& group);

// Standard deviation of a column over all training rows; over the node's rows for columns made by a
// wrapper, which are unknown elsewhere.
double training_deviation(const Node& node, int column);

// Weighted quantile of a column: one of its values, so it depends neither on row order nor on
// whether copies are weighted.
double quantile(const Node& node, int column, double share);

// Number of distinct rows, up to a limit: a row of weight 2 counts like the row twice.
std::size_t distinct_rows(const Node& node, std::size_t limit);

// Mean of x over the rows of each class.
std::vector<double> class_means(const NodeTarget& target, const double* x);

// The rows of each class, and all rows.
std::vector<std::vector<std::uint32_t>> rows_by_class(const Node& node);
std::vector<std::uint32_t> all_rows(const Node& node);

// Classes that occur, heaviest first: independent of class names.
std::vector<int> classes_by_weight(const NodeTarget& target);

}  // namespace aslant
