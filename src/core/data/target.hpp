// What trees predict.
//
// The statistics of a set of rows are a few numbers that add up: for classes the weight of each
// class, for regression (weight, sum of targets) or, for several outputs, (weight, sum, sum, ...).
// Criteria, sweeps, bins and the values of nodes are made of nothing else, so growth and most
// searches do not know which kind of target they serve.
//
// A new kind of target is a class here and one in node/node_target.hpp. Targets and features are
// separate: a target that changes between trees needs no new survey of the features.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "support/mean.hpp"

namespace aslant {

class ClassTarget;
class RegressionTarget;
class Problem;

// What is known of the weights of data that some rows were taken from: a tree that is grown in
// pieces looks at each of them as it would look at all rows.
struct GlobalWeights {
  bool weighted = false, countable = true;  // see ClassTarget
  std::vector<double> unit;
  double cases = 0.0;  // to grow on; 0: those of the problem's rows
};

// The targets and weights of all rows.
class Target {
 public:
  Target(std::int64_t n_rows, std::vector<double> weight)
      : n_rows_(n_rows), weight_(std::move(weight)) {}
  virtual ~Target() = default;

  std::int64_t n_rows() const { return n_rows_; }
  const std::vector<double>& weight() const { return weight_; }  // empty: every row weighs 1
  double weight_of(std::int64_t row) const { return weight_.empty() ? 1.0 : weight_[row]; }
  double global_cases() const { return global_cases_; }  // 0: those of the problem's rows

  // The number of statistics.
  virtual int width() const = 0;

  // Adds a row of this weight to statistics.
  virtual void add(std::size_t row, double row_weight, AccurateSum* statistics) const = 0;

  // Statistics of some rows of a problem.
  virtual std::vector<double> statistics(const Problem& problem, const std::uint32_t* rows,
                                         std::size_t n) const = 0;

  // The weight of rows with these statistics.
  virtual double weight_in(const double* statistics) const = 0;

  // Whether nothing is left to predict for these rows.
  virtual bool is_pure(const double* statistics, const std::uint32_t* rows,
                       std::size_t n) const = 0;

  // Impurity of a node with these rows, under the problem's criterion.
  virtual double impurity(const Problem& problem, const double* statistics,
                          const std::uint32_t* rows, std::size_t n) const = 0;

  // Samples may draw from each stratum of rows apart: from each class.
  virtual int n_strata() const { return 1; }
  virtual int stratum(std::size_t) const { return 0; }

  // Null if the target is of another kind.
  virtual const ClassTarget* classes() const { return nullptr; }
  virtual const RegressionTarget* regression() const { return nullptr; }

 protected:
  std::int64_t n_rows_;
  std::vector<double> weight_;
  double global_cases_ = 0.0;
};

class ClassTarget final : public Target {
 public:
  ClassTarget(std::vector<std::int32_t> labels, int n_classes, std::vector<double> weight);
  ClassTarget(std::vector<std::int32_t> labels, int n_classes, std::vector<double> weight,
              const GlobalWeights& global);

  int n_classes() const { return n_classes_; }
  const std::vector<std::int32_t>& label() const { return label_; }

  // Where every weight is an integer multiple of a unit of its class, rows can be counted, and
  // counting is exact in any order. Class weights are such units. An empty vector: all 1.
  bool countable() const { return countable_; }
  const std::vector<std::uint32_t>& times() const { return times_; }
  const std::vector<double>& unit() const { return unit_; }

  int width() const override { return n_classes_; }
  void add(std::size_t row, double row_weight, AccurateSum* statistics) const override {
    statistics[label_[row]].add(row_weight, 1.0);
  }
  std::vector<double> statistics(const Problem& problem, const std::uint32_t* rows,
                                 std::size_t n) const override;
  double weight_in(const double* statistics) const override {
    return std::accumulate(statistics, statistics + n_classes_, 0.0);
  }
  bool is_pure(const double* statistics, const std::uint32_t* rows, std::size_t n) const override;
  double impurity(const Problem& problem, const double* statistics, const std::uint32_t* rows,
                  std::size_t n) const override;
  int n_strata() const override { return n_classes_; }
  int stratum(std::size_t row) const override { return label_[row]; }
  const ClassTarget* classes() const override { return this; }

  // The same classes, all of equal weight among the rows of a list.
  ClassTarget balanced(const std::vector<std::uint32_t>& rows) const;

 private:
  void find_units();

  int n_classes_;
  std::vector<std::int32_t> label_;  // 0 .. n_classes - 1
  bool countable_ = true;
  std::vector<std::uint32_t> times_;
  std::vector<double> unit_;
};

class RegressionTarget final : public Target {
 public:
  // `values`: n_outputs a row, row after row.
  RegressionTarget(std::vector<double> values, int n_outputs, std::vector<double> weight,
                   const GlobalWeights& global = {});

  int n_outputs() const { return n_outputs_; }
  const std::vector<double>& all_values() const { return value_; }
  const double* values(std::size_t row) const {
    return &value_[row * static_cast<std::size_t>(n_outputs_)];
  }

  int width() const override { return n_outputs_ + 1; }
  void add(std::size_t row, double row_weight, AccurateSum* statistics) const override {
    statistics[0].add(row_weight, 1.0);
    for (int q = 0; q < n_outputs_; ++q) statistics[q + 1].add(values(row)[q], row_weight);
  }
  std::vector<double> statistics(const Problem& problem, const std::uint32_t* rows,
                                 std::size_t n) const override;
  double weight_in(const double* statistics) const override { return statistics[0]; }
  bool is_pure(const double* statistics, const std::uint32_t* rows, std::size_t n) const override;
  double impurity(const Problem& problem, const double* statistics, const std::uint32_t* rows,
                  std::size_t n) const override;
  const RegressionTarget* regression() const override { return this; }

  // The impurity times the weight, given the means: a sum over rows in one place or in several.
  AccurateSum impurity_sum(const Problem& problem, const std::vector<double>& means,
                           const std::uint32_t* rows, std::size_t n) const;

 private:
  int n_outputs_;
  std::vector<double> value_;
};

// The rows a sweep runs over.
struct SweepRows {
  std::size_t n = 0;
  const double* total = nullptr;   // statistics of all rows together
  int width = 0;                   // of the statistics
  const double* weight = nullptr;  // null: every row weighs 1
  // Classes: codes below `width`. If `countable`, the weight is times * unit[label]; null: 1.
  const std::int32_t* label = nullptr;
  bool countable = false;
  const std::uint32_t* times = nullptr;
  const double* unit = nullptr;
  // Regression: width - 1 targets a row.
  const double* target = nullptr;

  double weight_of(std::size_t row) const { return weight ? weight[row] : 1.0; }
  // Takes a row out of statistics.
  void subtract(std::size_t row, double* statistics) const {
    if (label) {
      statistics[label[row]] -= weight_of(row);
      return;
    }
    statistics[0] -= weight_of(row);
    for (int q = 1; q < width; ++q)
      statistics[q] -= weight_of(row) * target[row * static_cast<std::size_t>(width - 1) + q - 1];
  }
  std::int64_t times_of(std::size_t row) const { return times ? times[row] : 1; }
  double unit_of(int k) const { return unit ? unit[k] : 1.0; }
  // Adds a row to statistics.
  void add(std::size_t row, double* statistics) const {
    if (label) {
      statistics[label[row]] += weight_of(row);
      return;
    }
    statistics[0] += weight_of(row);
    for (int q = 1; q < width; ++q)
      statistics[q] += weight_of(row) * target[row * static_cast<std::size_t>(width - 1) + q - 1];
  }
  // Whether every row weighs a whole number of times the same: then no weight is lost in rounding.
  bool counts_alike() const { return !weight || (label && countable && !unit); }
  double total_weight() const {
    double sum = total[0];
    for (int k = 1; label && k < width; ++k) sum += total[k];
    return sum;
  }
};

}  // namespace aslant
