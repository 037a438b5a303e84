// The inner search sees z = (x - mean) / sd at the node, the standard deviation being that of the
// values that are present; missing ones are zero. Its test w . z <= t is the test
// (w / sd) . x <= t + sum w mean / sd of the node's own columns.

#include "search/standardize.hpp"

#include <cmath>

#include "moments.hpp"

namespace aslant {

namespace {

// A missing value stands at the mean and adds nothing to the squares.
Spread spread_of_present(const Node& node, int column) {
  Spread result = spread(node, column);
  result.deviation /= std::sqrt(node.share_present(column));
  return result;
}

// The second indicator of a category with two levels says the opposite of the first.
std::vector<char> redundant_columns(const Node& node) {
  std::vector<char> redundant(node.n_columns(), 0);
  for (const CategoryGroup& group : node.groups())
    if (group.n_levels == 2) redundant[group.first_column + 1] = 1;
  return redundant;
}

}  // namespace

std::optional<Split> Standardize::find(const std::shared_ptr<const Node>& node,
                                       const SearchContext& context) const {
  const std::size_t n = node->n_rows();
  std::vector<Spread> scales(node->n_columns());
  const std::vector<char> redundant = redundant_columns(*node);
  std::vector<double> values(n * node->n_columns(), 0.0);
  for (int j = 0; j < node->n_columns(); ++j) {
    if (redundant[j]) continue;
    scales[j] = spread_of_present(*node, j);
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
      const Spread& scale = scales[split->columns[c]];
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
