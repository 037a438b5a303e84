// L-BFGS for a smooth function of many parameters, and its orthant-wise form with an L1 penalty.
//
// J. Nocedal, Updating Quasi-Newton Matrices with Limited Storage, Mathematics of Computation 35,
// 1980; G. Andrew and J. Gao, Scalable Training of L1-Regularized Log-Linear Models, ICML 2007.
#pragma once

#include <functional>
#include <vector>

namespace aslant {

// Returns the value at a point and writes the gradient there.
using SmoothFunction =
    std::function<double(const std::vector<double>& point, std::vector<double>& gradient)>;

struct MinimiseOptions {
  int max_iterations = 40;
  double tolerance = 1e-5;  // smaller relative decreases end the iteration
  int memory = 8;           // pairs of steps and gradient changes
};

struct Minimum {
  std::vector<double> point;
  double value = 0.0;  // including the L1 penalty
  int iterations = 0;
};

// What holds for each parameter; empty vectors hold for none.
struct ParameterRules {
  std::vector<double> l1;  // L1 penalty: penalized parameters become exactly zero
  std::vector<int> sign;   // 1: not negative, -1: not positive, 0: free
};

// Descends from `point`, whose signs must be allowed.
Minimum minimise(const SmoothFunction& function, std::vector<double> point,
                 const ParameterRules& rules, const MinimiseOptions& options);

}  // namespace aslant
