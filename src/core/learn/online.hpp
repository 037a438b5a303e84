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
        n_targets_(examples.n_targets),
        weights_(examples.n_targets * examples.width, 0.0),
        outputs_(kAhead * examples.n_targets, 0.0) {}

  // Finds the products with some rows, as long as the weights stay as they are: the sums of one row
  // wait for each other, those of several do not.
  static constexpr int kAhead = 4;
  void foresee(const double* const* rows, int n_rows);

  // The target that wins one of these rows; its products are kept for what follows.
  int winner_of(int row) {
    row_ = row;
    int best = 0;
    for (int k = 1; k < n_targets_; ++k)
      if (output(k) > output(best)) best = k;
    return best;
  }
  int winner(const double* y) {
    foresee(&y, 1);
    return winner_of(0);
  }

  // Where a row is won only by more than any other target has: another than `winner` if there is
  // one as good.
  int strict_winner(int winner) const {
    for (int k = 0; k < n_targets_; ++k)
      if (k != winner && output(k) == output(winner)) return k;
    return winner;
  }

  // (W_j - W_i) . Y / 2 Y . Y + epsilon, for the row that winner_of() saw last: what must be moved
  // from j to i for i to win.
  double correction(int i, int j, double squared, double epsilon) const {
    return (output(j) - output(i)) / (2.0 * squared) + epsilon;
  }

  // W_i += c Y, W_j -= c Y.
  void correct(int i, int j, double c, const double* y);

  double output(int i) const { return outputs_[i * kAhead + row_]; }
  const std::vector<double>& weights() const { return weights_; }

 private:
  std::size_t width_;
  int n_targets_;
  std::vector<double> weights_, outputs_;  // outputs of all rows that were foreseen, by target
  int row_ = 0;                            // of these, the one in question
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
