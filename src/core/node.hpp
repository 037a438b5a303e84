// The rows that reached a place in the tree, as a search sees them.
//
// Gathered once: column-major float64, missing values filled, classes as codes 0..K-1. A search
// never meets NaN, strings or the layout of the caller's data.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "criterion.hpp"
#include "line_search.hpp"
#include "mean.hpp"
#include "split.hpp"
#include "table.hpp"

namespace aslant {

// How the training rows spread.
struct TrainingSpread {
  std::vector<double> deviation;  // of each column's present values
  std::size_t distinct_rows = 0;
};

// Everything about the problem that all nodes share.
struct Problem {
  Table table;
  Columns columns;
  std::vector<std::int32_t> label;
  std::vector<double> weight;  // empty: every row weighs 1
  int n_classes = 0;
  CriterionKind criterion = CriterionKind::gini;
  ChildLimits limits;
  bool fill_with_training_mean = false;

  // Found by survey(), once, so that nodes need not look again.
  std::vector<char> has_missing, has_extreme;  // per feature
  std::vector<double> training_mean;           // per column; empty if nothing can ask for it

  double weight_of(std::int64_t row) const { return weight.empty() ? 1.0 : weight[row]; }
  void survey();

  // Few searches ask for it, so it is found when the first one does.
  const TrainingSpread& spread() const;

 private:
  double mean_of_present(int column) const;
  double deviation_of_present(int column) const;
  std::size_t count_distinct_rows() const;

  mutable std::once_flag spread_known_;
  mutable TrainingSpread spread_;
};

// A categorical feature at the node.
struct CategoryGroup {
  int first_column;
  int n_levels;
  std::vector<std::int32_t> code;  // level of each row, -1 missing
  std::vector<double> fill;        // per level: what stands in for a missing row
  double share_present;            // of the weight
};

class Node {
 public:
  // `expand_categories` writes the indicator columns out; a search that reads only the codes of
  // the groups does without.
  Node(std::shared_ptr<const Problem> problem, const std::uint32_t* rows, std::size_t n_rows,
       std::vector<double> class_weight, bool expand_categories);

  // The same rows and labels with other columns: see with_columns().
  Node(const Node& other, std::vector<double> values);

  // Some of the rows, in the same units and with the same fills.
  Node(const Node& other, const std::vector<std::uint32_t>& rows);

  std::size_t n_rows() const { return n_rows_; }
  int n_columns() const { return static_cast<int>(offset_.size()); }
  int n_classes() const { return problem_->n_classes; }
  const Problem& problem() const { return *problem_; }
  CriterionKind criterion() const { return problem_->criterion; }
  const ChildLimits& limits() const { return problem_->limits; }

  const double* column(int j) const { return &values_[offset_[j]]; }
  const std::vector<int>& numeric_columns() const { return numeric_; }
  const std::vector<CategoryGroup>& groups() const { return groups_; }
  const std::vector<std::int32_t>& label() const { return label_; }
  const std::vector<double>& weight() const { return weight_; }  // empty: all 1
  const std::vector<double>& class_weight() const { return class_weight_; }
  double total_weight() const { return total_weight_; }
  double weight_of(std::size_t row) const { return weight_.empty() ? 1.0 : weight_[row]; }

  // The rows as a sweep sees them: with the classes that are present here and no others.
  LabelledRows labelled_rows() const {
    return {n_rows_, present_label_.empty() ? label_.data() : present_label_.data(),
            weight_.empty() ? nullptr : weight_.data(), present_weight_.data(),
            static_cast<int>(present_weight_.size())};
  }
  LineSearch line_search() const { return {labelled_rows(), criterion(), limits()}; }

  // coef . x of every row, summed in the order of columns: constant columns change nothing.
  // Prediction sums in another order; thresholds keep the distance of rounding() from all rows.
  std::vector<double> projection(const std::vector<double>& coef) const;

  // Best threshold along coef, as a split; nothing if no threshold separates the rows. `search` may
  // ask more of the children than the node does.
  bool best_along(const std::vector<double>& coef, Split& split) const {
    return best_along(coef, line_search(), split);
  }
  bool best_along(const std::vector<double>& coef, LineSearch search, Split& split) const;

  // Score of a partition given by what child 0 holds; nothing if a child is too small.
  std::optional<double> score(const std::vector<double>& class_weight0, std::int64_t rows0) const;

  // Class weights of the children of any split.
  std::vector<std::vector<double>> children_of(const Split& split) const;

  // Score of any partition given by the class weights of its children: 0 if all rows go one way.
  double score(const std::vector<std::vector<double>>& children) const;

  // Share of the weight that the majority classes of the children hold.
  double accuracy(const std::vector<std::vector<double>>& children) const;

  // Rounding error to expect in projections of this size: closer breakpoints are one.
  static double rounding(double largest_projection) { return 1e-14 * largest_projection; }
  static double rounding(const std::vector<double>& projections);

  // The mean that stands in for missing values of a column.
  double fill(int column) const;

  // The value of a column below or at which a share of the weight lies: one of the column's own
  // values, so that it depends neither on the order of rows nor on whether copies are weighted.
  double quantile(int column, double share) const;

  // Standard deviation of a column over all rows the tree is grown on. What a wrapper made of the
  // columns is known for the rows here only, and they stand in for the rest.
  double training_deviation(int column) const;

  // How many rows differ from each other, counted up to a limit. Counting distinct rows, not rows,
  // makes a row of weight 2 the same as the row twice.
  std::size_t distinct_rows(std::size_t limit) const;

  // Share of the weight whose value of a column is not missing; 1 where the training mean stands
  // in, because then the column's own spread tells nothing of what is missing.
  double share_present(int column) const;

  // The split in the units of the caller's data.
  Split in_input_units(Split split) const;

  // Columns that are not constant here. The others can be given no meaningful coefficient.
  std::vector<int> varying_columns() const;

  // The same rows and labels with other columns, all taken as numbers and of any count: what
  // wrappers hand on.
  std::shared_ptr<Node> with_columns(std::vector<double> values) const;

  // The same node in which only these columns vary; a category that loses some of its indicators
  // lends the others as numbers.
  std::shared_ptr<Node> restricted_to(const std::vector<int>& columns) const;

 private:
  void number_present_classes();
  void gather_numeric(const std::uint32_t* rows);
  void gather_groups(const std::uint32_t* rows);
  void fill_missing(int column);
  void tame(int column);
  void keep_in_range(Split& split) const;

  std::shared_ptr<const Problem> problem_;
  std::size_t n_rows_;
  std::vector<double> values_;       // column after column
  std::vector<std::size_t> offset_;  // where each column starts in values_
  std::vector<int> numeric_;
  std::vector<CategoryGroup> groups_;
  bool expanded_;
  bool derived_ = false;  // made by with_columns()
  std::vector<std::int32_t> label_;
  std::vector<double> weight_;
  std::vector<double> class_weight_;
  std::vector<std::int32_t> present_label_;  // number among the classes present; empty: label_
  std::vector<double> present_weight_;       // of the classes present
  double total_weight_;
  struct Filled {
    int column;
    double mean, share_present;
  };
  std::vector<Filled> filled_;                 // columns with missing values here
  std::vector<std::pair<int, int>> exponent_;  // columns scaled by 2^-exponent: see tame()
};

}  // namespace aslant
