#include "line/breakpoints.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "support/multiversion.hpp"

namespace aslant {

namespace {

// The place of row j but for its label, as in find_places().
ASLANT_INLINE std::int32_t place_of(const Breakpoints& line, const RatioScale& scale,
                                    double enters_below, std::size_t j) {
  const std::int32_t half = scale.half(), never = 2 * half, apart = never + 1;
  const double at = line.at(j);
  const bool moves = Breakpoints::moves(at);
  const bool outside = moves ? line.R[j] < enters_below : !(line.V[j] <= 0.0);
  const std::int32_t steps = scale.steps(std::abs(at) + scale.spread) - scale.steps(scale.spread);
  const std::int32_t bounded = steps < half ? steps : half - 1;
  const std::int32_t bin = at < 0.0 ? half - 1 - bounded : half + bounded;
  return (moves ? bin : never) + (outside ? apart : 0);
}

#if defined(__GNUC__)
// The same for the rows j to j + 3. Integers are as wide as the doubles that select them, and
// narrowed once: compilers narrow every condition.
ASLANT_INLINE void places_of_four(const Breakpoints& line, const RatioScale& scale,
                                  double enters_below, std::size_t j, std::int32_t* place) {
  typedef double Values __attribute__((vector_size(32)));
  typedef std::int64_t Integers __attribute__((vector_size(32)));
  typedef std::uint64_t Bits __attribute__((vector_size(32)));
  typedef std::int32_t Places __attribute__((vector_size(16)));
  const std::int64_t half = scale.half(), never = 2 * half, apart = never + 1;
  Values v, r;
  std::memcpy(&v, line.V + j, sizeof v);
  std::memcpy(&r, line.R + j, sizeof r);
  const Values at = -v / r;
  const auto size = (Values)((Integers)at & std::numeric_limits<std::int64_t>::max());
  const Integers moves = size < Breakpoints::kNever;
  const Integers outside = moves ? (r < enters_below) : ~(v <= 0.0);
  const Integers steps =
      (Integers)((Bits)(size + scale.spread) >> (52 - scale.bits)) - scale.steps(scale.spread);
  const Integers last = Integers{} + (half - 1), bounded = steps < half ? steps : last;
  const Integers bin = at < 0.0 ? last - bounded : half + bounded;
  const Integers found = (moves ? bin : Integers{} + never) + (outside & apart);
  const Places narrow = __builtin_convertvector(found, Places);
  std::memcpy(place, &narrow, sizeof narrow);
}
#endif

}  // namespace

ASLANT_MULTIVERSION
void find_places(const Breakpoints& breakpoints, const RatioScale& ratio_scale,
                 std::int32_t* __restrict place) {
  const Breakpoints line = breakpoints;  // copies stay in registers
  const RatioScale scale = ratio_scale;
  const double enters_below = line.ignore_sign ? -HUGE_VAL : 0.0;  // rows with R below this enter
  std::size_t j = 0;
#if defined(__GNUC__)
  for (; j + 4 <= line.n; j += 4) places_of_four(line, scale, enters_below, j, place + j);
#endif
  for (; j < line.n; ++j) place[j] = place_of(line, scale, enters_below, j);
  if (line.label == nullptr) return;
  const std::int32_t apart = 2 * scale.half() + 1;
  for (j = 0; j < line.n; ++j) place[j] += line.label[j] * 2 * apart;
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
void find_boxes(const CountedBins& bins, double* __restrict before, double* __restrict low,
                double* __restrict high, std::int32_t* __restrict moving,
                std::int32_t* __restrict growth) {
  const double unit = bins.unit;
  const std::int32_t *leave = bins.leave, *enter = bins.enter;
  for (std::size_t b = 0; b < bins.n; ++b) before[b] = unit * static_cast<double>(bins.before[b]);
  for (std::size_t b = 0; b < bins.n; ++b) moving[b] += enter[b];
  for (std::size_t b = 0; b < bins.n; ++b) growth[b] += enter[b];
  if (leave == nullptr) return;
  for (std::size_t b = 0; b < bins.n; ++b) {
    low[b] = before[b] - unit * static_cast<double>(leave[b]);
    high[b] = before[b] + unit * static_cast<double>(enter[b]);
    moving[b] += leave[b];
    growth[b] -= leave[b];
  }
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
