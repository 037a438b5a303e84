// Learners that meet one example after the other and correct the weights at once.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/learner.hpp"

namespace aslant {

// The distinct rows of a node as Y = (1, x), one after the other in a random order. The order is a
// function of the seed and of their values (of a hash: rows that collide count as copies, one time
// in 2^64), so what is learned depends neither on the order of the node's rows, nor on whether
// copies are weighted, nor on how the classes are numbered.
struct Examples {
  int n_targets = 0;
  std::size_t width = 0;        // 1 + columns
  std::vector<double> rows;     // size() x width
  std::vector<int> target;      // 0 wins ties
  std::vector<double> weight;   // how often a pass presents the row, on average
  std::vector<double> squared;  // Y . Y

  std::size_t size() const { return target.size(); }
  const double* row(std::size_t i) const { return &rows[i * width]; }
};

// Weight vectors while they are trained; ties go to the first target.
class Machine {
 public:
  explicit Machine(const Examples& examples)
      : width_(examples.width),
        weights_(examples.n_targets * examples.width, 0.0),
        output_(examples.n_targets, 0.0) {}

  // The target that wins a row; the products are kept for correction().
  int winner(const double* y);

  // The same, where a row is won only by more than any other target has.
  int strict_winner(const double* y, int target);

  // (W_j - W_i) . Y / 2 Y . Y + epsilon, for the row that winner() saw last: what must be moved
  // from j to i for i to win.
  double correction(int i, int j, double squared, double epsilon) const {
    return (output_[j] - output_[i]) / (2.0 * squared) + epsilon;
  }

  // W_i += c Y, W_j -= c Y.
  void correct(int i, int j, double c, const double* y);

  double output(int i) const { return output_[i]; }
  const std::vector<double>& weights() const { return weights_; }

 private:
  std::size_t width_;
  std::vector<double> weights_, output_;
};

// What training ends with.
struct Trained {
  std::vector<double> weights;  // a vector per target
  std::int64_t corrections;     // it took
};

class OnlineLearner : public Learner {
 public:
  std::unique_ptr<Lessons> begin(const NodePointer& node, const Targets& targets,
                                 const SearchContext& context) const override;

  virtual Trained train(const Examples& examples, Rng& rng, Supervisor& supervisor) const = 0;

  // Whether the heavier target wins ties, or the first.
  virtual bool heavier_first() const { return true; }
};

}  // namespace aslant
