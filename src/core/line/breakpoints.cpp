#include "line/breakpoints.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "support/multiversion.hpp"

namespace aslant {

ASLANT_MULTIVERSION
void find_places(const Breakpoints& line, const RatioScale& scale, std::int32_t* __restrict place) {
  const double *V = line.V, *R = line.R, spread = scale.spread;
  const double enters_below = line.ignore_sign ? -HUGE_VAL : 0.0;  // rows with R below this enter
  const std::int32_t half = scale.half(), never = 2 * half, apart = never + 1;
  const std::int32_t zero = scale.steps(spread);
  for (std::size_t j = 0; j < line.n; ++j) {
    const double at = -V[j] / R[j];
    const bool moves = std::abs(at) < Breakpoints::kNever;
    const std::int32_t outside = moves ? R[j] < enters_below : !(V[j] <= 0.0);
    const std::int32_t steps = scale.steps(std::abs(at) + spread) - zero;
    const std::int32_t bounded = steps < half ? steps : half - 1;
    const std::int32_t bin = at < 0.0 ? half - 1 - bounded : half + bounded;
    place[j] = (moves ? bin : never) + (outside ? apart : 0);
  }
  if (line.label != nullptr)
    for (std::size_t j = 0; j < line.n; ++j) place[j] += line.label[j] * 2 * apart;
}

ASLANT_MULTIVERSION
void find_places(std::size_t n, const double* at, const std::int32_t* label, const Scale& scale,
                 std::int32_t* __restrict place) {
  const Scale fixed = scale;
  const auto apart = static_cast<std::int32_t>(fixed.last) + 2;
  if (label != nullptr)
    for (std::size_t j = 0; j < n; ++j) place[j] = fixed.bin_at(at[j]) + label[j] * apart;
  else
    for (std::size_t j = 0; j < n; ++j) place[j] = fixed.bin_at(at[j]) + apart;
}

ASLANT_MULTIVERSION
InsideOfTwo count_inside(std::size_t n, const double* V, const std::int32_t* label) {
  constexpr std::size_t kBlock = 1 << 16;  // int32 cannot overflow within a block
  InsideOfTwo inside;
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t end = n - begin < kBlock ? n : begin + kBlock;
    std::int32_t rows = 0, second = 0;
    for (std::size_t j = begin; j < end; ++j) {
      const std::int32_t is_inside = V[j] <= 0.0 ? 1 : 0;
      rows += is_inside;
      second += is_inside & label[j];
    }
    inside.rows += rows;
    inside.second += second;
  }
  return inside;
}

ASLANT_MULTIVERSION
double add_multiple(std::size_t n, double alpha, const double* __restrict R, double* __restrict V) {
  // Absolute values order like their bits, and integers have a vectorized maximum.
  constexpr std::int64_t kAllButSign = std::numeric_limits<std::int64_t>::max();
  std::int64_t greatest = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double value = V[j] + alpha * R[j];
    V[j] = value;
    std::int64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    bits &= kAllButSign;
    greatest = bits > greatest ? bits : greatest;
  }
  double all;
  std::memcpy(&all, &greatest, sizeof all);
  return all;
}

ASLANT_MULTIVERSION
void less_multiple(std::size_t n, const double* __restrict x, double alpha,
                   const double* __restrict z, double* __restrict out) {
  for (std::size_t j = 0; j < n; ++j) out[j] = x[j] - alpha * z[j];
}

}  // namespace aslant
