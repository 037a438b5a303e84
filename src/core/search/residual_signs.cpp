// P. Chaudhuri, M.-C. Huang, W.-Y. Loh and R. Yao, Piecewise-polynomial regression trees,
// Statistica Sinica 4, 1994; W.-Y. Loh, Regression trees with unbiased variable selection and
// interaction detection, Statistica Sinica 12, 2002: the signs of residuals are classes. The tree's
// own criterion chooses the threshold along the direction found.

#include "search/residual_signs.hpp"

#include <algorithm>
#include <stdexcept>

#include "learn/least_squares.hpp"
#include "node/moments.hpp"
#include "node/partition.hpp"
#include "search/directions/principal_axis.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

using Vector = std::vector<double>;

// Targets minus their means, one output after the other.
Vector residuals_from_mean(const NodeTarget& target) {
  Vector residuals;
  for (int q = 0; q < target.n_outputs(); ++q)
    for (std::size_t i = 0; i < target.n_rows(); ++i)
      residuals.push_back(target.value(i, q) - target.mean(q));
  return residuals;
}

NodePointer standardized(const Node& node) {
  std::vector<Spread> scales(node.n_columns());
  for (int j : node.columns().varying()) scales[j] = spread(node, j);
  return node.rescaled(scales);
}

// A tiny L2 penalty, only against collinear columns.
constexpr double kRidge = 1e-9;

Vector residuals_from_line(const Node& node) {
  Vector residuals = residuals_from_mean(node.target());
  const NodePointer scaled = standardized(node);
  const Vector fitted = regression_session(scaled, kRidge * node.target().total_weight())
                            ->learn(scaled->columns().varying())
                            .outputs;
  for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] -= fitted[i];
  return residuals;
}

double sum_of_squares(const Vector& values) {
  double sum = 0.0;
  for (double value : values) sum += value * value;
  return sum;
}

// 1 where the residual along the first principal axis is nonnegative.
std::vector<std::int32_t> signs(const Vector& residuals, const NodeTarget& target) {
  const std::size_t n = target.n_rows();
  const Vector axis = principal_axis(residuals, target.n_outputs(), target);
  std::vector<std::int32_t> above(n);
  for (std::size_t i = 0; i < n; ++i) {
    double along = 0.0;
    for (int q = 0; q < target.n_outputs(); ++q) along += axis[q] * residuals[q * n + i];
    above[i] = along >= 0.0 ? 1 : 0;
  }
  return above;
}

bool has_both(const std::vector<std::int32_t>& above) {
  return std::find(above.begin(), above.end(), 1 - above[0]) != above.end();
}

// Residuals below this share of the total sum of squares are rounding of an exact fit.
constexpr double kExact = 1e-18;

std::vector<std::int32_t> classes_of(const Node& node, bool line) {
  const NodeTarget& target = node.target();
  const Vector from_mean = residuals_from_mean(target);
  if (line && !node.columns().varying().empty()) {
    const Vector residuals = residuals_from_line(node);
    if (sum_of_squares(residuals) > kExact * sum_of_squares(from_mean)) {
      std::vector<std::int32_t> above = signs(residuals, target);
      if (has_both(above)) return above;
    }
  }
  return signs(from_mean, target);
}

}  // namespace

std::optional<Split> ResidualSigns::find(const NodePointer& node,
                                         const SearchContext& context) const {
  node->target().regression();  // rejects classes
  std::vector<std::int32_t> above = classes_of(*node, line_);
  if (!has_both(above)) return std::nullopt;
  const NodePointer inner = node->with_classes(std::move(above), 2, criterion_);
  std::optional<Split> split = search_->find(inner, context);
  if (!split || split->columns.empty()) return std::nullopt;
  if (split->n_vectors() > 1) {
    split->score = score_of(*node, children_of(*node, *split));
    return split;
  }
  std::optional<Split> finished =
      node->best_along(direction_of(*node, *split), node->line_search(search_->limits_at(*inner)));
  if (finished) finished->legacy = split->legacy;
  return finished;
}

namespace {

const RegisteredSearch residual_signs_registered("ResidualSigns", [](Options& options) {
  return std::make_shared<ResidualSigns>(options.search("search"), options.flag("line"),
                                         CriterionKind(options.word("criterion")));
});

}  // namespace

}  // namespace aslant
