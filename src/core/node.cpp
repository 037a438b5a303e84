#include "node.hpp"

#include <algorithm>
#include <cmath>

namespace aslant {

Node::Node(std::shared_ptr<const Problem> problem, const std::uint32_t* rows, std::size_t n_rows,
           std::vector<double> statistics)
    : problem_(std::move(problem)),
      target_(std::make_shared<NodeTarget>(*problem_, rows, n_rows, std::move(statistics))) {
  columns_ = std::make_shared<NodeColumns>(problem_, rows, n_rows, target_->total_weight());
}

std::shared_ptr<const Node> Node::with_columns(std::vector<double> values) const {
  auto columns = std::make_shared<NodeColumns>(problem_, n_rows(), std::move(values));
  return std::shared_ptr<const Node>(new Node(problem_, std::move(columns), target_));
}

std::shared_ptr<const Node> Node::restricted_to(const std::vector<int>& columns) const {
  std::vector<char> kept(n_columns(), 0);
  for (int j : columns) kept[j] = 1;
  return std::shared_ptr<const Node>(
      new Node(problem_, std::make_shared<NodeColumns>(columns_, kept), target_));
}

std::shared_ptr<const Node> Node::sample(const std::vector<std::uint32_t>& rows) const {
  return std::shared_ptr<const Node>(new Node(problem_,
                                              std::make_shared<NodeColumns>(columns_, rows),
                                              std::make_shared<NodeTarget>(*target_, rows)));
}

std::optional<Split> Node::best_along(const std::vector<double>& coef,
                                      const LineSearch& search) const {
  const std::vector<double> projections = columns_->projection(coef);
  const auto best = search.threshold(projections.data(), rounding(projections));
  if (!best) return std::nullopt;
  Split split = hyperplane(coef, best->alpha, best->score);
  if (!split.finite()) return std::nullopt;
  return split;
}

double rounding(const std::vector<double>& projections) {
  double largest = 0.0;
  for (double value : projections) largest = std::max(largest, std::abs(value));
  return rounding(largest);
}

}  // namespace aslant
