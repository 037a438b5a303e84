// C. E. Brodley and P. E. Utgoff, Multivariate Decision Trees, Machine Learning 19:45-77, 1995,
// section 3.3 and table 1, after M. Frean, Small nets and short paths, 1990. Large errors get
// decreasing attention (k < beta), and beta falls whenever the weights shrink after having grown.
// The table's "a beta b" is a beta - b.

#include "learn/thermal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "registry.hpp"

namespace aslant {

namespace {

constexpr int kMostPasses = 100000;  // annealing ends sooner: about 1600 steps with the defaults

// The examples of a pass in random order. They are stored in one, so that a pass over distinct rows
// reads memory from front to back. Copies must not come one after the other: each pass shuffles
// them anew, every example as often as it weighs; what a weight has beyond a whole number is
// rounded at random.
class Passes {
 public:
  Passes(const Examples& examples, Rng& rng)
      : weight_(examples.weight),
        rng_(rng),
        distinct_(std::all_of(weight_.begin(), weight_.end(), [](double w) { return w == 1.0; })) {
    order_.resize(weight_.size());
    std::iota(order_.begin(), order_.end(), 0u);
  }

  const std::vector<std::uint32_t>& next() {
    if (distinct_) return order_;
    order_.clear();
    for (std::size_t i = 0; i < weight_.size(); ++i) {
      const double whole = std::floor(weight_[i]), rest = weight_[i] - whole;
      const bool once_more = rest > 0.0 && rng_.uniform() < rest;
      order_.insert(order_.end(), static_cast<std::size_t>(whole) + (once_more ? 1 : 0),
                    static_cast<std::uint32_t>(i));
    }
    for (std::size_t i = order_.size(); i > 1; --i)
      std::swap(order_[i - 1], order_[rng_.below(static_cast<int>(i))]);
    return order_;
  }

 private:
  const std::vector<double>& weight_;
  Rng& rng_;
  bool distinct_;
  std::vector<std::uint32_t> order_;
};

// |LM|, the sum of the lengths of the weight vectors, kept up to date without looking at them:
// |W + c Y|^2 = |W|^2 + 2 c W.Y + c^2 Y.Y.
class Magnitude {
 public:
  explicit Magnitude(int n_targets) : squared_(n_targets, 0.0) {}
  void move(int target, double c, double output, double squared_row) {
    double& squared = squared_[target];
    sum_ -= std::sqrt(squared);
    squared = std::max(0.0, squared + 2.0 * c * output + c * c * squared_row);
    sum_ += std::sqrt(squared);
  }
  double sum() const { return sum_; }

 private:
  std::vector<double> squared_;
  double sum_ = 0.0;
};

}  // namespace

std::vector<double> ThermalTraining::train(const Examples& examples, Rng& rng,
                                           Supervisor& supervisor) const {
  Machine machine(examples);
  Magnitude magnitude(examples.n_targets);
  const std::size_t patience = 2 * (examples.width - 1);  // "for the last 2 n instances"
  double beta = options_.heat, largest = 0.0;
  std::size_t calm = 0;
  bool grew = false;
  Passes passes(examples, rng);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    supervisor.check();
    bool corrected = false;
    for (std::uint32_t example : passes.next()) {
      const double* y = examples.row(example);
      const int i = examples.target[example], j = machine.winner(y);
      if (i == j) continue;
      const double squared = examples.squared[example];
      const double k = machine.correction(i, j, squared, options_.epsilon);
      if (k >= beta) continue;
      const double c = beta * beta / (beta + k), before = magnitude.sum();
      magnitude.move(i, c, machine.output(i), squared);
      magnitude.move(j, -c, machine.output(j), squared);
      machine.correct(i, j, c, y);
      corrected = true;
      if (magnitude.sum() < before && grew) beta = options_.rate * beta - options_.step;
      grew = magnitude.sum() > before;
      largest = std::max(largest, magnitude.sum());
      // The correction moves two vectors by c Y each.
      calm = 2.0 * c * std::sqrt(squared) < options_.calm * largest ? calm + 1 : 0;
      if (beta <= 0.0) return machine.weights();
    }
    // Step 2 of the table stands between passes. Nothing is corrected if all rows are right, or too
    // wrong to be looked at.
    if (!corrected || calm >= patience) break;
  }
  return machine.weights();
}

namespace {

const RegisteredLearner thermal_registered("ThermalTraining", [](Options& options) {
  return std::make_shared<ThermalTraining>(
      ThermalOptions{options.number("epsilon"), options.number("heat"), options.number("rate"),
                     options.number("step"), options.number("calm")});
});

}  // namespace

}  // namespace aslant
