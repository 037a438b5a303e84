// Limited-memory BFGS for a smooth function of many parameters, and its orthant-wise form for one
// with a price on absolute values.
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
  double tolerance =
      1e-5;        // least decrease, as a share of the value, of a step that is not the last
  int memory = 8;  // pairs of steps and changes of gradient that are remembered
};

struct Minimum {
  std::vector<double> point;
  double value = 0.0;  // the price of absolute values included
  int iterations = 0;
};

// Goes downhill from `point`. `price` holds one number for each parameter, what a unit of its
// absolute value costs; empty means 0 for all, and the function is then minimised as it is. With a
// price, parameters become exactly zero.
Minimum minimise(const SmoothFunction& function, std::vector<double> point,
                 const std::vector<double>& price, const MinimiseOptions& options);

}  // namespace aslant
