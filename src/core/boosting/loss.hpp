// Losses of gradient boosting: derivatives, means, first predictions and leaf values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "boosting/histogram.hpp"
#include "support/parallel.hpp"

namespace aslant {

// Targets and weights of some rows. `weight` may be empty: all 1. Classes are 0, 1, ....
struct LossRows {
  std::vector<double> y, weight;

  std::size_t size() const { return y.size(); }
  double weight_of(std::size_t row) const { return weight.empty() ? 1.0 : weight[row]; }
};

// Raw predictions are given output by output, of as many rows as there are.
class Loss {
 public:
  virtual ~Loss() = default;

  // By name; `quantile` is for the loss of that name, `n_outputs` above 1 for classes.
  static std::unique_ptr<Loss> make(const std::string& name, double quantile, int n_outputs);

  int n_outputs() const { return n_outputs_; }

  // The raw predictions of least loss that are the same for all rows.
  virtual std::vector<double> baseline(const LossRows& rows) const = 0;

  // The weighted mean over the rows, without terms that do not depend on the predictions.
  double mean(const LossRows& rows, const double* raw, ThreadPool& pool) const;

  // Derivatives by each output, weighted.
  void derive(const LossRows& rows, const double* raw, Derivatives* out, ThreadPool& pool) const;

  // Whether the values of leaves are Newton steps; else they are `leaf_value`.
  virtual bool has_newton_leaves() const { return true; }
  // The step of least loss for some rows, given what is left of their targets.
  virtual double leaf_value(std::vector<double>, const std::vector<double>&) const { return 0.0; }

 protected:
  explicit Loss(int n_outputs) : n_outputs_(n_outputs) {}

  virtual double of_row(double y, const double* raw, std::size_t stride) const = 0;
  virtual void derive_row(double y, const double* raw, std::size_t stride, double weight,
                          Derivatives* out) const = 0;

 private:
  int n_outputs_;
};

}  // namespace aslant
