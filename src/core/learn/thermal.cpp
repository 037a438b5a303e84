// C. E. Brodley and P. E. Utgoff, Multivariate Decision Trees, Machine Learning 19:45-77, 1995,
// section 3.3 and table 1, after M. Frean, Small nets and short paths, 1990. Large errors get
// decreasing attention (k < beta), and beta falls whenever the weights shrink after having grown.
// The table's "a beta b" is a beta - b.

#include "learn/thermal.hpp"

#include <algorithm>
#include <cmath>

namespace aslant {

namespace {

constexpr int kMostPasses = 100000;  // annealing ends sooner: about 1600 steps with the defaults

// The rows of one pass in random order, each as often as it weighs; what a weight has beyond a
// whole number is rounded at random.
void draw_pass(const Examples& examples, Rng& rng, std::vector<std::uint32_t>& order) {
  order.clear();
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const double whole = std::floor(examples.weight[i]), rest = examples.weight[i] - whole;
    auto times = static_cast<std::uint32_t>(whole);
    if (rest > 0.0 && rng.uniform() < rest) ++times;
    order.insert(order.end(), times, static_cast<std::uint32_t>(i));
  }
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[rng.below(static_cast<int>(i))]);
}

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
  std::vector<std::uint32_t> order;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    supervisor.check();
    draw_pass(examples, rng, order);
    bool corrected = false;
    for (std::uint32_t example : order) {
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

}  // namespace aslant
