#include "node.hpp"

#include <algorithm>
#include <cmath>

namespace aslant {

Node::Node(std::shared_ptr<const Problem> problem, const std::uint32_t* rows, std::size_t n_rows,
           std::vector<double> statistics)
    : problem_(std::move(problem)),
      criterion_(problem_->rules().criterion),
      limits_(problem_->rules().limits),
      target_(std::make_shared<NodeTarget>(*problem_, rows, n_rows, std::move(statistics))) {
  columns_ = std::make_shared<NodeColumns>(problem_, rows, n_rows, target_->total_weight());
}

Node::Node(std::shared_ptr<const Problem> problem, const std::vector<std::uint32_t>& rows,
           const NodeFacts& facts, std::vector<double> statistics, const ChildLimits& limits)
    : problem_(std::move(problem)),
      criterion_(problem_->rules().criterion),
      limits_(limits),
      columns_(std::make_shared<NodeColumns>(problem_, rows.data(), rows.size(), facts)),
      target_(std::make_shared<NodeTarget>(*problem_, rows.data(), rows.size(),
                                           std::move(statistics))) {}

std::shared_ptr<const Node> Node::with_columns(std::vector<double> values) const {
  auto columns = std::make_shared<NodeColumns>(problem_, n_rows(), std::move(values));
  return std::shared_ptr<const Node>(new Node(*this, std::move(columns), target_, criterion_));
}

std::shared_ptr<const Node> Node::rescaled(const std::vector<Spread>& scales) const {
  auto columns = std::make_shared<NodeColumns>(columns_, scales);
  return std::shared_ptr<const Node>(new Node(*this, std::move(columns), target_, criterion_));
}

std::shared_ptr<const Node> Node::with_columns(std::vector<double> values,
                                               const std::vector<DerivedColumn>& columns) const {
  auto derived = std::make_shared<NodeColumns>(columns_, std::move(values), columns);
  return std::shared_ptr<const Node>(new Node(*this, std::move(derived), target_, criterion_));
}

std::shared_ptr<const Node> Node::restricted_to(const std::vector<int>& columns) const {
  std::vector<char> kept(n_columns(), 0);
  for (int j : columns) kept[j] = 1;
  return std::shared_ptr<const Node>(
      new Node(*this, std::make_shared<NodeColumns>(columns_, kept), target_, criterion_));
}

std::shared_ptr<const Node> Node::sample(const std::vector<std::uint32_t>& rows,
                                         const ChildLimits& limits) const {
  const std::shared_ptr<Node> some(new Node(*this, std::make_shared<NodeColumns>(columns_, rows),
                                            std::make_shared<NodeTarget>(*target_, rows),
                                            criterion_));
  some->limits_ = limits;
  return some;
}

std::shared_ptr<const Node> Node::with_classes(std::vector<std::int32_t> label, int n_classes,
                                               CriterionKind criterion) const {
  auto classes = std::make_shared<NodeTarget>(*target_, std::move(label), n_classes, criterion);
  return std::shared_ptr<const Node>(new Node(*this, columns_, std::move(classes), criterion));
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
