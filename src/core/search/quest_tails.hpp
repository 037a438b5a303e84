// Tail probabilities of test statistics, from the special functions that SciPy exports.
#pragma once

#include <cmath>

namespace aslant {

struct SpecialFunctions {
  // The last argument is Cython's own and always 0.
  using OfOne = double (*)(double, int);
  using OfTwo = double (*)(double, double, int);
  using OfThree = double (*)(double, double, double, int);
  // Set once, when the module is imported.
  static inline OfOne gammaln = nullptr;
  static inline OfTwo betaln = nullptr, chdtrc = nullptr;
  static inline OfThree fdtrc = nullptr;
};

// Below this, tails underflow: the leading terms of their logarithms are compared instead.
constexpr double kSmallestTail = 1e-290;

// Logarithm of the probability that chi-square with this many degrees of freedom exceeds x.
inline double log_chi_square_tail(double x, double freedom) {
  const double tail = SpecialFunctions::chdtrc(freedom, x, 0);
  if (tail > kSmallestTail) return std::log(tail);
  const double half = 0.5 * freedom;
  return -0.5 * x + (half - 1.0) * std::log(0.5 * x) - SpecialFunctions::gammaln(half, 0);
}

// Logarithm of the probability that F with these degrees of freedom exceeds f.
inline double log_f_tail(double f, double freedom1, double freedom2) {
  if (std::isinf(f)) return -f;
  const double tail = SpecialFunctions::fdtrc(freedom1, freedom2, f, 0);
  if (tail > kSmallestTail) return std::log(tail);
  const double a = 0.5 * freedom2, b = 0.5 * freedom1;
  const double z = freedom2 / (freedom2 + freedom1 * f);  // the tail is the beta integral to z
  return a * std::log(z) + b * std::log1p(-z) - std::log(a) - SpecialFunctions::betaln(a, b, 0);
}

}  // namespace aslant
