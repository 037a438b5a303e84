// Recursive least squares, in closed form.
#pragma once

#include "learn/learner.hpp"

namespace aslant {

struct LeastSquaresOptions {
  double variance;  // initial diagonal of P
  double passes;    // number of passes over the rows
  bool shrinks;     // regularizes the covariance of many columns for the rows
};

class LeastSquares : public Learner {
 public:
  explicit LeastSquares(const LeastSquaresOptions& options) : options_(options) {}
  std::unique_ptr<FitSession> begin(const NodePointer& node, const Targets& targets,
                                    const SearchContext& context) const override;

 private:
  LeastSquaresOptions options_;
};

// Ridge regression of each centered output on a constant and columns, for regression targets.
std::unique_ptr<FitSession> regression_session(const NodePointer& node, double ridge);

// Solves A W = B by elimination. `left` holds A, row-major, symmetric, at least `ridge` above
// singular; its upper triangle is read. `right` holds the vectors of B. Overwrites both, B by W.
void solve_ridge(std::vector<double>& left, std::vector<double>& right, int size, double ridge);

}  // namespace aslant
