#include "breakpoints.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "multiversion.hpp"

namespace aslant {

ASLANT_MULTIVERSION
bool find_breakpoints(std::size_t n, const double* V, const double* R, const std::int32_t* label,
                      double limit, bool ignore_sign, double* at, std::uint32_t* code) {
  const double enters_below = ignore_sign ? -HUGE_VAL : 0.0;  // rows with R below this enter
  std::uint32_t any_leaves = 0;
  for (std::size_t j = 0; j < n; ++j) {
    const double place = -V[j] / R[j];
    const bool moves = std::abs(place) < limit;
    const std::uint32_t outside = moves ? R[j] < enters_below : !(V[j] <= 0.0);
    at[j] = moves ? place : HUGE_VAL;
    code[j] = outside;
    any_leaves |= moves ? outside ^ 1u : 0u;
  }
  if (label != nullptr)
    for (std::size_t j = 0; j < n; ++j) code[j] |= static_cast<std::uint32_t>(label[j]) * 2u;
  return any_leaves != 0;
}

ASLANT_MULTIVERSION
void find_bins(std::size_t n, const double* at, double limit, const Scale& scale,
               std::int32_t* bin) {
  const Scale fixed = scale;
  const auto never = static_cast<std::int32_t>(fixed.last) + 1;
  if (limit == HUGE_VAL) {  // every row moves
    for (std::size_t j = 0; j < n; ++j) bin[j] = fixed.bin_at(at[j]);
    return;
  }
  for (std::size_t j = 0; j < n; ++j)
    bin[j] = std::abs(at[j]) < limit ? fixed.bin_at(at[j]) : never;
}

ASLANT_MULTIVERSION
InsideOfTwo count_inside(std::size_t n, const double* V, const std::int32_t* label) {
  constexpr std::size_t kBlock = 1 << 16;  // what 32 bits can count by far
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
  // Absolute values are in the order of their bits, and whole numbers have a maximum of vectors.
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
