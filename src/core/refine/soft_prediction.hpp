// Class probabilities of a soft tree.
#pragma once

#include <cstdint>
#include <vector>

#include "data/table.hpp"

namespace aslant {

// A tree of hyperplanes, a steepness per test and class probabilities per leaf. A row goes to child
// 1 with probability 1 / (1 + exp(-steepness (coef . x - threshold))).
struct SoftPrediction {
  std::vector<std::int32_t> children;    // two per node, -1 at leaves; after their parents
  std::vector<std::int64_t> coef_start;  // one more than nodes; leaves have no terms
  std::vector<std::int32_t> coef_column;
  std::vector<double> coef_value, coef_fill;
  std::vector<double> threshold, steepness;  // per node
  std::vector<double> share;                 // per node and class; read at leaves only
  Columns columns;
  int n_classes = 0;
  double exponent = 1.0;  // probabilities are raised to it, then normalized

  // Writes the probabilities of the rows [begin, end), row-major.
  void apply(const Table& table, std::int64_t begin, std::int64_t end, double* probability) const;

  // Writes the probabilities of reaching every leaf, in node order.
  void write_reach(const Table& table, std::int64_t begin, std::int64_t end, double* reach) const;

 private:
  void reach_nodes(const Table& table, std::int64_t row, std::vector<double>& reach) const;
  double score(const Table& table, std::int64_t row, std::size_t node) const;
  void sharpen(double* probability) const;
};

}  // namespace aslant
