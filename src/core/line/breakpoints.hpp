// Passes over all rows around a line search.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aslant {

// Rows along a line: row j is at V_j + alpha R_j and changes side at -V_j / R_j, or never if that
// is kNever or beyond (R_j is zero or too small).
struct Breakpoints {
  static constexpr double kNever = 1e300;

  std::size_t n;
  const double *V, *R;
  const std::int32_t* label;  // null: regression
  bool ignore_sign;           // every moving row leaves child 0

  double at(std::size_t i) const { return -V[i] / R[i]; }
  static bool moves(double at) { return std::abs(at) < kNever; }

  // 1 if a row is outside child 0 at alpha = minus infinity: it enters at its breakpoint, or never.
  std::uint32_t outside(std::size_t i, double at) const {
    return moves(at) ? R[i] < (ignore_sign ? -HUGE_VAL : 0.0) : !(V[i] <= 0.0);
  }
  bool any_leaves() const {
    for (std::size_t i = 0; i < n; ++i)
      if (moves(at(i)) && outside(i, at(i)) == 0) return true;
    return false;
  }
};

// Bins whose widths grow with the distance from alpha = 0; the outermost are unbounded. Breakpoints
// are ratios, mostly small with heavy tails, and the best position is usually near 0: equal widths
// would put most of them into a few bins. The leading bits of |alpha| + spread are the scale, which
// is monotone despite rounding: bins never overlap.
struct RatioScale {
  static constexpr int kDoublings = 5;  // of the spread, on either side

  double spread = 0.0;
  int bits = 0;  // of the mantissa: a doubling has 2^bits bins

  std::int32_t half() const { return kDoublings << bits; }
  std::int32_t n_bins() const { return 2 * half(); }
  std::int32_t steps(double distance) const { return leading_bits(distance) >> (20 - bits); }

  static std::int32_t leading_bits(double value) {
    std::int64_t all;
    std::memcpy(&all, &value, sizeof all);
    return static_cast<std::int32_t>(all >> 32);
  }
};

// The place of a row is its bin plus (n_bins + 1) times its series: label * 2 + outside, or just
// outside in regression. Rows that never move have a bin of their own after the last.
void find_places(const Breakpoints& line, const RatioScale& scale, std::int32_t* place);

// Bins of equal width; the outermost are unbounded.
struct Scale {
  double low = 0.0, per_unit = 0.0, last = 0.0;

  // Monotone despite rounding: bins never overlap.
  std::int32_t bin_at(double position) const {
    const double place = (position - low) * per_unit + 1.0;
    const double bounded = place > 0.0 ? place : 0.0;
    return static_cast<std::int32_t>(bounded < last ? bounded : last);
  }
};

// The same if all rows enter child 0, each at its position; the series is the label, or 1.
void find_places(std::size_t n, const double* at, const std::int32_t* label, const Scale& scale,
                 std::int32_t* place);

// Number of rows with V <= 0, and of those in the second of two classes.
struct InsideOfTwo {
  std::int64_t rows = 0, second = 0;
};
InsideOfTwo count_inside(std::size_t n, const double* V, const std::int32_t* label);

// Rows of a class in the bins of a line: in child 0 before each bin, and those that leave (null:
// none) or enter it there.
struct CountedBins {
  std::size_t n;
  const std::int32_t *before, *leave, *enter;
  double unit;  // weight of a row
};
// Weights before the bins, and their range within them if rows leave; adds to the numbers of rows
// that move, and by which child 0 grows.
void find_boxes(const CountedBins& bins, double* before, double* low, double* high,
                std::int32_t* moving, std::int32_t* growth);

// V += alpha R; returns the greatest absolute value of V.
double add_multiple(std::size_t n, double alpha, const double* R, double* V);

// out = x - alpha z.
void less_multiple(std::size_t n, const double* x, double alpha, const double* z, double* out);

}  // namespace aslant
