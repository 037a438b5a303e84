// The target of a node's rows: values, weights and statistics.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "data/problem.hpp"
#include "data/target.hpp"
#include "support/mean.hpp"

namespace aslant {

// One part of a node's rows.
struct Part {
  std::int64_t rows = 0;
  std::vector<double> statistics;
};

class ClassNodeTarget;
class RegressionNodeTarget;

class NodeTarget {
 public:
  virtual ~NodeTarget() = default;

  std::size_t n_rows() const { return n_rows_; }
  int width() const { return static_cast<int>(statistics_.size()); }
  const std::vector<double>& weight() const { return weight_; }  // empty: all 1
  double weight_of(std::size_t row) const { return weight_.empty() ? 1.0 : weight_[row]; }
  double total_weight() const { return total_weight_; }
  const std::vector<double>& statistics() const { return statistics_; }  // of all rows

  // Adds a row to the statistics of a part.
  virtual void add(std::size_t row, AccurateSum* statistics) const = 0;
  virtual void add(std::size_t row, double* statistics) const = 0;
  virtual double weight_in(const double* statistics) const = 0;

  // The rows for a sweep: only present classes, targets centered if the criterion requires it.
  virtual SweepRows sweep_rows() const = 0;

  // Some of the rows.
  virtual std::shared_ptr<const NodeTarget> sampled(
      const std::vector<std::uint32_t>& rows) const = 0;

  // Samples may draw from each stratum, i.e. each class, separately.
  virtual int stratum(std::size_t) const { return 0; }

  // Whether both children are pure, the best possible split.
  virtual bool separates(const Part& child0) const = 0;

  // Weight fraction in the majority classes of the children; for regression, the fraction of
  // variance that the children's means explain.
  virtual double accuracy(const std::vector<Part>& children) const = 0;

  // For searches of one kind of target, which reject the other with an error.
  virtual const ClassNodeTarget& classes() const;
  virtual const RegressionNodeTarget& regression() const;
  virtual bool has_classes() const = 0;

  // Of classification targets; `n_classes` is 0 for regression.
  virtual int n_classes() const { return 0; }
  const std::vector<std::int32_t>& label() const;
  const std::vector<double>& class_weight() const;
  double classes_present() const;

  // Of regression targets; `n_outputs` is 0 for classes.
  virtual int n_outputs() const { return 0; }
  double value(std::size_t row, int q = 0) const;
  double mean(int q = 0) const { return statistics_[q + 1] / total_weight_; }

 protected:
  void set_rows(const Problem& problem, const std::uint32_t* rows, std::size_t n_rows,
                const double* statistics);

  std::size_t n_rows_ = 0;
  std::vector<double> weight_;
  std::vector<double> statistics_;
  double total_weight_ = 0.0;
  std::vector<double> sweep_total_;  // statistics as seen by a sweep
};

// Assignable: reused across many small nodes.
class ClassNodeTarget final : public NodeTarget {
 public:
  void assign(const Problem& problem, const std::uint32_t* rows, std::size_t n_rows,
              const double* statistics);

  // The rows of another target, with classes as the target.
  void relabel(const NodeTarget& other, std::vector<std::int32_t> label, int n_classes);

  const std::vector<std::int32_t>& labels() const { return label_; }
  std::size_t n_present() const { return sweep_total_.size(); }

  void add(std::size_t row, AccurateSum* statistics) const override {
    statistics[label_[row]].add(weight_of(row), 1.0);
  }
  void add(std::size_t row, double* statistics) const override {
    statistics[label_[row]] += weight_of(row);
  }
  double weight_in(const double* statistics) const override {
    return std::accumulate(statistics, statistics + width(), 0.0);
  }
  SweepRows sweep_rows() const override;
  std::shared_ptr<const NodeTarget> sampled(const std::vector<std::uint32_t>& rows) const override;
  bool separates(const Part& child0) const override;
  double accuracy(const std::vector<Part>& children) const override;
  const ClassNodeTarget& classes() const override { return *this; }
  bool has_classes() const override { return true; }
  int n_classes() const override { return width(); }
  int stratum(std::size_t row) const override { return label_[row]; }

 private:
  void number_present_classes();

  std::vector<std::int32_t> label_;
  bool countable_ = false;
  std::vector<std::uint32_t> times_;  // empty: all 1, or not countable
  std::vector<double> unit_;          // per class; empty: all 1

  // As seen by a sweep.
  std::vector<std::int32_t> present_label_, code_;  // empty: label_; code of each class
  std::vector<double> present_unit_;
};

class RegressionNodeTarget final : public NodeTarget {
 public:
  void assign(const Problem& problem, const std::uint32_t* rows, std::size_t n_rows,
              const double* statistics);

  const double* values(std::size_t row) const { return &value_[row * (statistics_.size() - 1)]; }

  void add(std::size_t row, AccurateSum* statistics) const override {
    const double weight = weight_of(row);
    statistics[0].add(weight, 1.0);
    for (int q = 1; q < width(); ++q) statistics[q].add(values(row)[q - 1], weight);
  }
  void add(std::size_t row, double* statistics) const override {
    const double weight = weight_of(row);
    statistics[0] += weight;
    for (int q = 1; q < width(); ++q) statistics[q] += weight * values(row)[q - 1];
  }
  double weight_in(const double* statistics) const override { return statistics[0]; }
  SweepRows sweep_rows() const override;
  std::shared_ptr<const NodeTarget> sampled(const std::vector<std::uint32_t>& rows) const override;
  bool separates(const Part&) const override { return false; }
  double accuracy(const std::vector<Part>& children) const override;
  const RegressionNodeTarget& regression() const override { return *this; }
  bool has_classes() const override { return false; }
  int n_outputs() const override { return width() - 1; }

 private:
  void center();

  bool centers_ = false;
  std::vector<double> value_;    // n_outputs per row
  std::vector<double> centred_;  // targets centered near their mean; empty: value_
};

// The target of some rows of a problem; `statistics` are those of the rows.
std::shared_ptr<const NodeTarget> node_target(const Problem& problem, const std::uint32_t* rows,
                                              std::size_t n_rows, const double* statistics);

inline const std::vector<std::int32_t>& NodeTarget::label() const {
  return classes().labels();
}
inline const std::vector<double>& NodeTarget::class_weight() const {
  return classes().statistics();
}
inline double NodeTarget::classes_present() const {
  return static_cast<double>(classes().n_present());
}
inline double NodeTarget::value(std::size_t row, int q) const {
  return static_cast<const RegressionNodeTarget*>(this)->values(row)[q];
}

// The center of targets whose squares are summed.
double round_number_near(double mean, double largest_distance);

}  // namespace aslant
