// Recursive least squares, in closed form.
#pragma once

#include "learn/learner.hpp"

namespace aslant {

struct LeastSquaresOptions {
  double variance;  // the diagonal of P at the start
  double passes;    // how often the rows are cycled through
};

class LeastSquares : public Learner {
 public:
  explicit LeastSquares(const LeastSquaresOptions& options) : options_(options) {}
  std::unique_ptr<Lessons> begin(const NodePointer& node, const Targets& targets,
                                 const SearchContext& context) const override;

 private:
  LeastSquaresOptions options_;
};

}  // namespace aslant
