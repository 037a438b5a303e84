// The inner search sees z = (x - mean) / sd at the node. Its test w . z <= t is the test
// (w / sd) . x <= t + sum w mean / sd of the node's own columns.

#include "search/standardize.hpp"

#include <cmath>

namespace aslant {

namespace {

struct Scale {
  double mean = 0.0, deviation = 0.0;
};

Scale scale_of(const Node& node, int column) {
  RunningDeviation all;
  const double* x = node.column(column);
  for (std::size_t i = 0; i < node.n_rows(); ++i) all.add(x[i], node.weight_of(i));
  return {all.centre.mean, all.deviation()};
}

}  // namespace

std::optional<Split> Standardize::find(const std::shared_ptr<const Node>& node,
                                       const SearchContext& context) const {
  const std::size_t n = node->n_rows();
  std::vector<Scale> scales(node->n_columns());
  std::vector<double> values(n * node->n_columns(), 0.0);
  for (int j = 0; j < node->n_columns(); ++j) {
    scales[j] = scale_of(*node, j);
    if (!(scales[j].deviation > 0.0)) continue;  // a constant column stays zero
    const double* x = node->column(j);
    for (std::size_t i = 0; i < n; ++i)
      values[j * n + i] = (x[i] - scales[j].mean) / scales[j].deviation;
  }
  std::optional<Split> split =
      search_->find(node->with_columns(std::move(values)), context.below(0));
  if (!split) return split;
  const std::size_t width = split->columns.size();
  for (int v = 0; v < split->n_vectors(); ++v) {
    // A machine adds its offset to the sum, a hyperplane compares the sum with it.
    const double sign = split->n_vectors() == 1 ? 1.0 : -1.0;
    for (std::size_t c = 0; c < width; ++c) {
      const Scale& scale = scales[split->columns[c]];
      double& coef = split->coefs[v * width + c];
      if (!(scale.deviation > 0.0)) {
        coef = 0.0;
        continue;
      }
      coef /= scale.deviation;
      split->offsets[v] += sign * coef * scale.mean;
    }
  }
  return split;
}

}  // namespace aslant
