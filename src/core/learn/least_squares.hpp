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

}  // namespace aslant
