#include "refine/kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "multiversion.hpp"

namespace aslant {

namespace {

// Beyond this a gate is 0 or 1 to the last bit of what is added to it.
constexpr double kSteepest = 40.0;

// exp(x) for |x| <= kSteepest: 2^k times a Taylor polynomial on [-log(2)/2, log(2)/2]. The standard
// library's is called row by row, this one runs in vectors.
ASLANT_INLINE double exponential(double x) {
  constexpr double kLog2E = 1.4426950408889634, kShift = 0x1.8p52;
  constexpr double kLog2High = 0x1.62e42fefap-1, kLog2Low = 0x1.cf79abc9e3b39p-40;
  const double shifted = x * kLog2E + kShift;  // its last bits are those of the whole number k
  const double k = shifted - kShift;
  const double r = (x - k * kLog2High) - k * kLog2Low;
  double sum = 1.0 / 6227020800.0;
  sum = sum * r + 1.0 / 479001600.0;
  sum = sum * r + 1.0 / 39916800.0;
  sum = sum * r + 1.0 / 3628800.0;
  sum = sum * r + 1.0 / 362880.0;
  sum = sum * r + 1.0 / 40320.0;
  sum = sum * r + 1.0 / 5040.0;
  sum = sum * r + 1.0 / 720.0;
  sum = sum * r + 1.0 / 120.0;
  sum = sum * r + 1.0 / 24.0;
  sum = sum * r + 1.0 / 6.0;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  std::uint64_t bits, power;
  std::memcpy(&bits, &shifted, sizeof bits);
  power = (bits + 1023) << 52;
  double scale;
  std::memcpy(&scale, &power, sizeof scale);
  return sum * scale;
}

}  // namespace

ASLANT_MULTIVERSION
void block_scores(const double* coef, double constant, const double* values, std::size_t n_columns,
                  double* score) {
  double sum[kBlockRows];
  for (std::size_t r = 0; r < kBlockRows; ++r) sum[r] = constant;
  for (std::size_t j = 0; j < n_columns; ++j) {
    const double c = coef[j];
    const double* x = values + j * kBlockRows;
    for (std::size_t r = 0; r < kBlockRows; ++r) sum[r] += c * x[r];
  }
  for (std::size_t r = 0; r < kBlockRows; ++r) score[r] = sum[r];
}

ASLANT_MULTIVERSION
void add_block_gradient(const double* slope, const double* values, std::size_t n_columns,
                        double* partial) {
  double s[kBlockRows];
  for (std::size_t r = 0; r < kBlockRows; ++r) s[r] = slope[r];
  for (std::size_t j = 0; j < n_columns; ++j) {
    const double* x = values + j * kBlockRows;
    double* out = partial + j * kGradientLanes;
    for (std::size_t lane = 0; lane < kGradientLanes; ++lane)
      out[lane] += (s[lane] * x[lane] + s[lane + 4] * x[lane + 4]) +
                   (s[lane + 8] * x[lane + 8] + s[lane + 12] * x[lane + 12]);
  }
}

ASLANT_MULTIVERSION
void block_gates(const double* score, double* gate) {
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    const double x = std::min(std::max(score[r], -kSteepest), kSteepest);
    gate[r] = 1.0 / (1.0 + exponential(-x));
  }
}

}  // namespace aslant
