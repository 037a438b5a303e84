#include "refine/soft_prediction.hpp"

#include <algorithm>
#include <cmath>

namespace aslant {

namespace {

constexpr double kLeastProbability = 1e-300;  // its logarithm is finite

}  // namespace

double SoftPrediction::score(const Table& table, std::int64_t row, std::size_t node) const {
  double sum = -threshold[node];
  for (std::int64_t e = coef_start[node]; e < coef_start[node + 1]; ++e) {
    const std::int32_t column = coef_column[e], level = columns.level[column];
    double x = table.at(row, columns.feature[column]);
    if (x != x)
      x = coef_fill[e];
    else if (level >= 0)
      x = x == level ? 1.0 : 0.0;
    sum += coef_value[e] * x;
  }
  return steepness[node] * sum;
}

void SoftPrediction::sharpen(double* probability) const {
  double largest = 0.0, total = 0.0;
  for (int k = 0; k < n_classes; ++k) largest = std::max(largest, probability[k]);
  for (int k = 0; k < n_classes; ++k) {
    const double relative = std::max(probability[k], kLeastProbability) / largest;
    probability[k] = exponent == 1.0 ? relative : std::exp(exponent * std::log(relative));
    total += probability[k];
  }
  for (int k = 0; k < n_classes; ++k) probability[k] /= total;
}

void SoftPrediction::reach_nodes(const Table& table, std::int64_t row,
                                 std::vector<double>& reach) const {
  reach[0] = 1.0;
  for (std::size_t node = 0; node < reach.size(); ++node) {
    if (children[2 * node] < 0) continue;
    const double gate = 1.0 / (1.0 + std::exp(-score(table, row, node)));
    reach[children[2 * node + 1]] = reach[node] * gate;
    reach[children[2 * node]] = reach[node] * (1.0 - gate);
  }
}

void SoftPrediction::apply(const Table& table, std::int64_t begin, std::int64_t end,
                           double* probability) const {
  std::vector<double> reach(threshold.size());
  for (std::int64_t row = begin; row < end; ++row) {
    double* out = probability + (row - begin) * n_classes;
    std::fill(out, out + n_classes, 0.0);
    reach_nodes(table, row, reach);
    for (std::size_t node = 0; node < reach.size(); ++node)
      for (int k = 0; k < n_classes && children[2 * node] < 0; ++k)
        out[k] += reach[node] * share[node * n_classes + k];
    sharpen(out);
  }
}

void SoftPrediction::write_reach(const Table& table, std::int64_t begin, std::int64_t end,
                                 double* out) const {
  std::vector<double> reach(threshold.size());
  for (std::int64_t row = begin; row < end; ++row) {
    reach_nodes(table, row, reach);
    for (std::size_t node = 0; node < reach.size(); ++node)
      if (children[2 * node] < 0) *out++ = reach[node];
  }
}

}  // namespace aslant
