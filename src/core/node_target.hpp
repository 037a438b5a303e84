// What the rows of a node are to predict.
#pragma once

#include <cstdint>
#include <vector>

#include "mean.hpp"
#include "problem.hpp"
#include "target.hpp"

namespace aslant {

class NodeTarget {
 public:
  // `statistics` are those of the rows: see Problem::statistics.
  NodeTarget(const Problem& problem, const std::uint32_t* rows, std::size_t n_rows,
             std::vector<double> statistics);

  // Some of the rows.
  NodeTarget(const NodeTarget& other, const std::vector<std::uint32_t>& rows);

  // The same rows with classes in place of what they are to predict.
  NodeTarget(const NodeTarget& other, std::vector<std::int32_t> label, int n_classes,
             CriterionKind criterion);

  std::size_t n_rows() const { return n_rows_; }
  bool has_classes() const { return n_classes_ > 0; }
  int n_classes() const { return n_classes_; }
  int width() const { return static_cast<int>(statistics_.size()); }
  int n_outputs() const { return has_classes() ? 0 : width() - 1; }

  const std::vector<double>& weight() const { return weight_; }  // empty: all 1
  double weight_of(std::size_t row) const { return weight_.empty() ? 1.0 : weight_[row]; }
  double total_weight() const { return total_weight_; }

  // The statistics of all rows: class weights, or (weight, sums of numbers).
  const std::vector<double>& statistics() const { return statistics_; }

  // Only where the target is classes: a search that needs them asks, and is refused if there are
  // none.
  const std::vector<std::int32_t>& label() const;
  const std::vector<double>& class_weight() const;
  double classes_present() const;

  // Only where it is numbers: of output q, as given.
  double number(std::size_t row, int q = 0) const {
    return number_[row * (statistics_.size() - 1) + q];
  }
  double mean(int q = 0) const { return statistics_[q + 1] / total_weight_; }
  const double* numbers(std::size_t row) const { return &number_[row * (statistics_.size() - 1)]; }

  // Adds a row to the statistics of a part.
  void add(std::size_t row, AccurateSum* statistics) const {
    const double weight = weight_of(row);
    if (has_classes()) {
      statistics[label_[row]].add(weight, 1.0);
      return;
    }
    statistics[0].add(weight, 1.0);
    for (int q = 1; q < width(); ++q) statistics[q].add(number(row, q - 1), weight);
  }
  void add(std::size_t row, double* statistics) const {
    const double weight = weight_of(row);
    if (has_classes()) {
      statistics[label_[row]] += weight;
      return;
    }
    statistics[0] += weight;
    for (int q = 1; q < width(); ++q) statistics[q] += weight * number(row, q - 1);
  }

  // The rows as a sweep sees them: with the classes that are present here and no others, numbers
  // counted from their mean where squares are summed.
  SweepRows sweep_rows() const;

 private:
  void number_present_classes();
  void prepare_numbers(CriterionKind criterion);
  void sum_weights();

  std::size_t n_rows_;
  int n_classes_;
  CriterionKind criterion_;
  std::vector<std::int32_t> label_;
  std::vector<double> number_;
  std::vector<double> weight_;
  bool countable_ = false;
  std::vector<std::uint32_t> times_;  // empty: all 1, or not countable
  std::vector<double> unit_;          // per class; empty: all 1
  std::vector<double> statistics_;
  double total_weight_ = 0.0;

  // As a sweep sees it.
  std::vector<std::int32_t> present_label_;  // number among the classes present; empty: label_
  std::vector<double> present_unit_;
  std::vector<double> centred_;  // numbers counted from their mean; empty: number_
  std::vector<double> sweep_total_;
};

// The number that distances are counted from where squares of numbers are summed.
double round_number_near(double mean, double largest_distance);

}  // namespace aslant
