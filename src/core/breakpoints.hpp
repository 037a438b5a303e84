// The passes over all rows around a line search.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aslant {

// Row j sits at V_j + alpha R_j and changes side at `at`, or never if that is `limit` or beyond
// (R_j is zero or too small). The code of a row is its label * 2, plus 1 if it is not in child 0 at
// alpha = minus infinity: if it enters child 0 at its breakpoint, or never is in it. `ignore_sign`
// lets every row that moves leave. Without labels (numbers) the code is the side alone. Returns
// whether any leaves.
bool find_breakpoints(std::size_t n, const double* V, const double* R, const std::int32_t* label,
                      double limit, bool ignore_sign, double* at, std::uint32_t* code);

// Equal parts of a line, the outermost without end.
struct Scale {
  double low = 0.0, per_unit = 0.0, last = 0.0;

  // Monotone in the position, rounding included: bins never overlap.
  std::int32_t bin_at(double position) const {
    const double place = (position - low) * per_unit + 1.0;
    const double bounded = place > 0.0 ? place : 0.0;
    return static_cast<std::int32_t>(bounded < last ? bounded : last);
  }
};

// The bin of every row; rows at `limit` or beyond are in a bin of their own after the last.
void find_bins(std::size_t n, const double* at, double limit, const Scale& scale,
               std::int32_t* bin);

// How many rows have V <= 0, and of these how many are of the second of two classes.
struct InsideOfTwo {
  std::int64_t rows = 0, second = 0;
};
InsideOfTwo count_inside(std::size_t n, const double* V, const std::int32_t* label);

// V += alpha R; returns the greatest absolute value of V.
double add_multiple(std::size_t n, double alpha, const double* R, double* V);

// out = x - alpha z.
void less_multiple(std::size_t n, const double* x, double alpha, const double* z, double* out);

}  // namespace aslant
