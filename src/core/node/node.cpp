#include "node/node.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "node/table_columns.hpp"

namespace aslant {

Node::Node(std::shared_ptr<const Problem> problem, const std::uint32_t* rows, std::size_t n_rows,
           const std::vector<double>& statistics)
    : problem_(std::move(problem)),
      criterion_(problem_->rules().criterion),
      limits_(problem_->rules().limits),
      target_(node_target(*problem_, rows, n_rows, statistics.data())) {
  if (problem_->features().table().is_sparse())
    columns_ =
        std::make_shared<SparseTableColumns>(problem_, rows, n_rows, target_->total_weight());
  else
    columns_ = std::make_shared<TableColumns>(problem_, rows, n_rows, target_->total_weight());
}

Node::Node(std::shared_ptr<const Problem> problem, const std::vector<std::uint32_t>& rows,
           const NodeFacts& facts, const std::vector<double>& statistics, const ChildLimits& limits)
    : problem_(std::move(problem)),
      criterion_(problem_->rules().criterion),
      limits_(limits),
      columns_(std::make_shared<TableColumns>(problem_, rows.data(), rows.size(), facts)),
      target_(node_target(*problem_, rows.data(), rows.size(), statistics.data())) {}

std::shared_ptr<const Node> Node::with_columns(std::vector<double> values) const {
  auto columns = std::make_shared<OwnedColumns>(columns_, std::move(values));
  return std::shared_ptr<const Node>(new Node(*this, std::move(columns), target_, criterion_));
}

std::shared_ptr<const Node> Node::with_columns(std::vector<double> values,
                                               const std::vector<OwnedColumn>& columns) const {
  auto derived = std::make_shared<OwnedColumns>(columns_, std::move(values), columns);
  return std::shared_ptr<const Node>(new Node(*this, std::move(derived), target_, criterion_));
}

std::shared_ptr<const Node> Node::rescaled(const std::vector<Spread>& scales) const {
  auto columns = std::make_shared<ScaledColumns>(columns_, scales);
  return std::shared_ptr<const Node>(new Node(*this, std::move(columns), target_, criterion_));
}

std::shared_ptr<const Node> Node::restricted_to(const std::vector<int>& columns) const {
  auto restricted = std::make_shared<RestrictedColumns>(columns_, columns);
  return std::shared_ptr<const Node>(new Node(*this, std::move(restricted), target_, criterion_));
}

std::shared_ptr<const Node> Node::sample(const std::vector<std::uint32_t>& rows,
                                         const ChildLimits& limits) const {
  if (columns_->is_sparse())
    throw std::invalid_argument("samples of a node's rows need dense features");
  const std::shared_ptr<Node> some(new Node(*this, std::make_shared<SampledColumns>(columns_, rows),
                                            target_->sampled(rows), criterion_));
  some->limits_ = limits;
  return some;
}

std::shared_ptr<const Node> Node::with_classes(std::vector<std::int32_t> label, int n_classes,
                                               CriterionKind criterion) const {
  auto classes = std::make_shared<ClassNodeTarget>();
  classes->relabel(*target_, std::move(label), n_classes);
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
