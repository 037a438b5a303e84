// Recursive least squares, in closed form.
#pragma once

#include "learn/learner.hpp"

namespace aslant {

struct LeastSquaresOptions {
  double variance = 1e6;  // the diagonal of P at the start
  double passes = 3.0;    // how often the rows are cycled through
};

class LeastSquares : public Learner {
 public:
  explicit LeastSquares(const LeastSquaresOptions& options) : options_(options) {}
  std::unique_ptr<Lessons> begin(const std::shared_ptr<const Node>& node, const Targets& targets,
                                 const SearchContext& context) const override;

 private:
  LeastSquaresOptions options_;
};

}  // namespace aslant
