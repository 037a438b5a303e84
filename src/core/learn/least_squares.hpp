// Recursive least squares, in closed form.
#pragma once

#include "learn/learner.hpp"

namespace aslant {

struct LeastSquaresOptions {
  double variance;  // the diagonal of P at the start
  double passes;    // how often the rows are cycled through
  bool shrinks;     // the covariance, where columns are many for the rows
};

class LeastSquares : public Learner {
 public:
  explicit LeastSquares(const LeastSquaresOptions& options) : options_(options) {}
  std::unique_ptr<Lessons> begin(const NodePointer& node, const Targets& targets,
                                 const SearchContext& context) const override;

 private:
  LeastSquaresOptions options_;
};

// The same for a node that predicts numbers: ridge regression of each output, counted from its
// mean, on a constant and columns.
std::unique_ptr<Lessons> lessons_of_numbers(const NodePointer& node, double ridge);

// Solves A W = B by elimination: `left` holds A row after row, symmetric and at least `ridge` above
// singular, of which what is on and above the diagonal is read; `right` one vector of B after the
// other. Both are overwritten, B by W.
void solve_ridge(std::vector<double>& left, std::vector<double>& right, int size, double ridge);

}  // namespace aslant
