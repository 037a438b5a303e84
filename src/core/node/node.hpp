// The rows that reached a node of the tree, as a search sees them: their columns and their target.
//
// A search never sees NaN, strings or the layout of the caller's data.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "line/line_search.hpp"
#include "node/columns.hpp"
#include "node/derived_columns.hpp"
#include "node/node_facts.hpp"
#include "node/node_target.hpp"
#include "search/split.hpp"

namespace aslant {

class Node {
 public:
  // `statistics` are those of the rows: see Problem::statistics.
  Node(std::shared_ptr<const Problem> problem, const std::uint32_t* rows, std::size_t n_rows,
       const std::vector<double>& statistics);

  // A node with some rows here and facts of all rows: like sample(), or, with the statistics of all
  // rows, like the node itself.
  Node(std::shared_ptr<const Problem> problem, const std::vector<std::uint32_t>& rows,
       const NodeFacts& facts, const std::vector<double>& statistics, const ChildLimits& limits);

  // The same target with other columns, all numeric, one after the other: for wrappers.
  std::shared_ptr<const Node> with_columns(std::vector<double> values) const;
  // Some of them may be this node's own.
  std::shared_ptr<const Node> with_columns(std::vector<double> values,
                                           const std::vector<OwnedColumn>& columns) const;

  // The same target with standardized columns.
  std::shared_ptr<const Node> rescaled(const std::vector<Spread>& scales) const;

  // The same node in which only these columns vary.
  std::shared_ptr<const Node> restricted_to(const std::vector<int>& columns) const;

  // The same rows and columns with classes as the target and another criterion: lets classification
  // searches split regression targets.
  std::shared_ptr<const Node> with_classes(std::vector<std::int32_t> label, int n_classes,
                                           CriterionKind criterion) const;

  // Some of the rows, in the same units and with the same fills.
  std::shared_ptr<const Node> sample(const std::vector<std::uint32_t>& rows,
                                     const ChildLimits& limits) const;

  const Problem& problem() const { return *problem_; }
  CriterionKind criterion() const { return criterion_; }
  const ChildLimits& limits() const { return limits_; }
  const NodeColumns& columns() const { return *columns_; }
  const NodeTarget& target() const { return *target_; }

  std::size_t n_rows() const { return target_->n_rows(); }
  int n_columns() const { return columns_->size(); }
  const double* column(int j) const { return columns_->column(j); }
  double weight_of(std::size_t row) const { return target_->weight_of(row); }
  double fill(int column) const { return columns_->fill(column, target_->weight()); }

  LineSearch line_search() const { return line_search(limits()); }
  LineSearch line_search(const ChildLimits& limits) const {
    return {target_->sweep_rows(), criterion(), limits};
  }

  // Best threshold along coef, as a split; nothing if no threshold separates the rows. Thresholds
  // stay rounding() away from all rows, because prediction sums in another order.
  std::optional<Split> best_along(const std::vector<double>& coef) const {
    return best_along(coef, line_search());
  }
  std::optional<Split> best_along(const std::vector<double>& coef, const LineSearch& search) const;

 private:
  // Another view of a node: other columns, another target.
  Node(const Node& node, std::shared_ptr<const NodeColumns> columns,
       std::shared_ptr<const NodeTarget> target, CriterionKind criterion)
      : problem_(node.problem_),
        criterion_(criterion),
        limits_(node.limits_),
        columns_(std::move(columns)),
        target_(std::move(target)) {}

  std::shared_ptr<const Problem> problem_;
  CriterionKind criterion_;
  ChildLimits limits_;
  std::shared_ptr<const NodeColumns> columns_;
  std::shared_ptr<const NodeTarget> target_;
};

// Expected rounding error of projections of this size: closer breakpoints are tied.
inline double rounding(double largest_projection) {
  return 1e-14 * largest_projection;
}
double rounding(const std::vector<double>& projections);

}  // namespace aslant
