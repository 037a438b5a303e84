#include "refine/kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "multiversion.hpp"

namespace aslant {

namespace {

// Beyond this a gate is 0 or 1 to the last bit of what is added to it.
constexpr double kSteepest = 40.0;

constexpr std::size_t kGroups = kBlockRows / kGradientLanes;

#if defined(__GNUC__)
typedef double Lanes __attribute__((vector_size(kGradientLanes * sizeof(double))));
#else
struct Lanes {
  double value[kGradientLanes];
  Lanes operator*(const Lanes& other) const {
    return {value[0] * other.value[0], value[1] * other.value[1], value[2] * other.value[2],
            value[3] * other.value[3]};
  }
  Lanes& operator+=(const Lanes& other) {
    for (std::size_t l = 0; l < kGradientLanes; ++l) value[l] += other.value[l];
    return *this;
  }
};
#endif

// Vectors are never returned: how that is done depends on the processor.
ASLANT_INLINE void set_all(Lanes& lanes, double x) {
  const double copies[kGradientLanes] = {x, x, x, x};
  std::memcpy(&lanes, copies, sizeof lanes);
}

ASLANT_INLINE void add_product(const Lanes& factor, const double* place, Lanes& sum) {
  Lanes lanes;
  std::memcpy(&lanes, place, sizeof lanes);
  sum += factor * lanes;
}

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
  Lanes sum[kGroups];
  for (Lanes& group : sum) set_all(group, constant);
  for (std::size_t j = 0; j < n_columns; ++j) {
    Lanes c;
    set_all(c, coef[j]);
    for (std::size_t g = 0; g < kGroups; ++g)
      add_product(c, values + j * kBlockRows + g * kGradientLanes, sum[g]);
  }
  std::memcpy(score, sum, sizeof sum);
}

ASLANT_MULTIVERSION
void add_block_gradient(const double* slope, const double* values, std::size_t n_columns,
                        double* partial) {
  Lanes s[kGroups];
  std::memcpy(s, slope, sizeof s);
  for (std::size_t j = 0; j < n_columns; ++j) {
    Lanes sum;
    std::memcpy(&sum, partial + j * kGradientLanes, sizeof sum);
    for (std::size_t g = 0; g < kGroups; ++g)
      add_product(s[g], values + j * kBlockRows + g * kGradientLanes, sum);
    std::memcpy(partial + j * kGradientLanes, &sum, sizeof sum);
  }
}

ASLANT_MULTIVERSION
void block_gates(const double* score, double* gate) {
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    const double x = std::min(std::max(score[r], -kSteepest), kSteepest);
    gate[r] = 1.0 / (1.0 + exponential(-x));
  }
}

ASLANT_MULTIVERSION
void divide_reach(const double* reach, const double* gate, double least, double* reach0,
                  double* reach1) {
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    const double to1 = reach[r] * gate[r], to0 = reach[r] - to1;
    reach1[r] = to1 >= least ? to1 : 0.0;
    reach0[r] = to0 >= least ? to0 : 0.0;
  }
}

ASLANT_MULTIVERSION
void join_values(const double* gate, const double* reach0, const double* reach1, double* value0,
                 double* value1, double* value) {
  double v0[kBlockRows], v1[kBlockRows], joined[kBlockRows];
  std::memcpy(v0, value0, sizeof v0);
  std::memcpy(v1, value1, sizeof v1);
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    v0[r] = reach0[r] > 0.0 ? v0[r] : 0.0;
    v1[r] = reach1[r] > 0.0 ? v1[r] : 0.0;
    joined[r] = gate[r] * v1[r] + (1.0 - gate[r]) * v0[r];
  }
  std::memcpy(value0, v0, sizeof v0);
  std::memcpy(value1, v1, sizeof v1);
  std::memcpy(value, joined, sizeof joined);
}

ASLANT_MULTIVERSION
double score_slopes(const double* slope, const double* reach, const double* gate,
                    const double* value0, const double* value1, double* of_score) {
  for (std::size_t r = 0; r < kBlockRows; ++r)
    of_score[r] = slope[r] * reach[r] * gate[r] * (1.0 - gate[r]) * (value1[r] - value0[r]);
  double sum = 0.0;
  for (std::size_t r = 0; r < kBlockRows; ++r) sum += of_score[r];
  return sum;
}

}  // namespace aslant
