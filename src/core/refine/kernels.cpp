#include "refine/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "support/multiversion.hpp"

namespace aslant {

namespace {

// Gates are saturated beyond this score.
constexpr float kSteepest = 40.0f;

constexpr std::size_t kGroups = kBlockRows / kGradientLanes;

#if defined(__GNUC__)
typedef float RowLanes __attribute__((vector_size(kGradientLanes * sizeof(float))));
#else
struct RowLanes {
  float value[kGradientLanes];
  RowLanes operator*(const RowLanes& other) const {
    RowLanes product;
    for (std::size_t l = 0; l < kGradientLanes; ++l) product.value[l] = value[l] * other.value[l];
    return product;
  }
  RowLanes& operator+=(const RowLanes& other) {
    for (std::size_t l = 0; l < kGradientLanes; ++l) value[l] += other.value[l];
    return *this;
  }
};
inline RowLanes operator+(RowLanes lanes, float x) {
  for (float& value : lanes.value) value += x;
  return lanes;
}
#endif

// Vectors are never returned: the calling convention depends on the processor.
ASLANT_INLINE void load(const float* place, RowLanes& lanes) {
  std::memcpy(&lanes, place, sizeof lanes);
}

ASLANT_INLINE void set_all(RowLanes& lanes, float x) {
  lanes = RowLanes{} + x;
}

ASLANT_INLINE void add_product(const RowLanes& factor, const float* place, RowLanes& sum) {
  RowLanes lanes;
  load(place, lanes);
  sum += factor * lanes;
}

// exp(x) for |x| <= kSteepest: 2^k times a Taylor polynomial on [-log(2)/2, log(2)/2]. It
// vectorizes, unlike that of the standard library.
ASLANT_INLINE float exponential(float x) {
  constexpr float kLog2E = 1.44269504f, kShift = 0x1.8p23f;
  constexpr float kLog2High = 0x1.63p-1f, kLog2Low = -2.12194440e-4f;
  const float shifted = x * kLog2E + kShift;  // its last bits are the integer k
  const float k = shifted - kShift;
  const float r = (x - k * kLog2High) - k * kLog2Low;
  const float r2 = r * r;  // pairs of terms are independent
  const float low = (1.0f + r) + r2 * (0.5f + r * (1.0f / 6.0f));
  const float high =
      (1.0f / 24.0f + r * (1.0f / 120.0f)) + r2 * (1.0f / 720.0f + r * (1.0f / 5040.0f));
  const float sum = low + (r2 * r2) * high;
  std::uint32_t bits, power;
  std::memcpy(&bits, &shifted, sizeof bits);
  power = (bits + 127u) << 23;
  float scale;
  std::memcpy(&scale, &power, sizeof scale);
  return sum * scale;
}

}  // namespace

ASLANT_MULTIVERSION
void block_scores(const BlockColumns& x, const float* coef, float constant, const float* extra,
                  float* score) {
  RowLanes sum[kGroups];
  for (std::size_t g = 0; g < kGroups; ++g) {
    RowLanes more;
    set_all(sum[g], constant);
    load(extra + g * kGradientLanes, more);
    sum[g] += more;
  }
  for (std::size_t i = 0; i < x.n_columns; ++i) {
    RowLanes c;
    set_all(c, coef[i]);
    for (std::size_t g = 0; g < kGroups; ++g) add_product(c, x.of(i) + g * kGradientLanes, sum[g]);
  }
  std::memcpy(score, sum, sizeof sum);
}

ASLANT_MULTIVERSION
unsigned pass_gate(const float* score, const float* reach, float least, float* __restrict gate,
                   float* __restrict reach0, float* __restrict reach1) {
  std::uint32_t any0 = 0, any1 = 0;
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    const float x = std::min(std::max(score[r], -kSteepest), kSteepest);
    const float g = 1.0f / (1.0f + exponential(-x));
    const float there = reach[r] * g, here = reach[r] - there;
    gate[r] = g;
    reach0[r] = here >= least ? here : 0.0f;
    reach1[r] = there >= least ? there : 0.0f;
    any0 |= here >= least ? 1u : 0u;
    any1 |= there >= least ? 2u : 0u;
  }
  return any0 | any1;
}

ASLANT_MULTIVERSION
void join_values(const float* reach0, const float* reach1, const float* value0, const float* value1,
                 float* __restrict gate_to_slope, float* __restrict value) {
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    const float gate = gate_to_slope[r];
    const float v0 = reach0[r] > 0.0f ? value0[r] : 0.0f;
    const float v1 = reach1[r] > 0.0f ? value1[r] : 0.0f;
    value[r] = gate * v1 + (1.0f - gate) * v0;
    gate_to_slope[r] = gate * (1.0f - gate) * (v1 - v0);
  }
}

ASLANT_MULTIVERSION
double block_loss(const float* value, const float* weight, bool same_weight, float certain,
                  float chance, float* __restrict slope) {
  float p[kBlockRows];
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    const float own = certain * value[r] + chance;
    slope[r] = -weight[r] * certain / own;
    p[r] = weight[r] > 0.0f ? own : 1.0f;
  }
  if (same_weight) {  // one logarithm for all rows: their product does not underflow
    double product[4] = {1.0, 1.0, 1.0, 1.0};
    for (std::size_t r = 0; r < kBlockRows; ++r) product[r % 4] *= p[r];
    return -weight[0] * (std::log(product[0] * product[2]) + std::log(product[1] * product[3]));
  }
  double loss = 0.0;
  for (std::size_t r = 0; r < kBlockRows; ++r)
    loss -= weight[r] * std::log(static_cast<double>(p[r]));
  return loss;
}

ASLANT_MULTIVERSION
void add_block_gradient(const BlockColumns& x, const float* slope, const float* reach,
                        const float* value_slope, float* partial, float* of_score) {
  RowLanes s[kGroups], sum;
  for (std::size_t g = 0; g < kGroups; ++g) {
    const std::size_t at = g * kGradientLanes;
    RowLanes a, b, c;
    load(slope + at, a);
    load(reach + at, b);
    load(value_slope + at, c);
    s[g] = a * b * c;
  }
  std::memcpy(of_score, s, sizeof s);
  for (std::size_t i = 0; i < x.n_columns; ++i) {
    load(partial + i * kGradientLanes, sum);
    for (std::size_t g = 0; g < kGroups; ++g) add_product(s[g], x.of(i) + g * kGradientLanes, sum);
    std::memcpy(partial + i * kGradientLanes, &sum, sizeof sum);
  }
  load(partial + x.n_columns * kGradientLanes, sum);
  for (const RowLanes& group : s) sum += group;
  std::memcpy(partial + x.n_columns * kGradientLanes, &sum, sizeof sum);
}

ASLANT_MULTIVERSION
void block_product(const float* a, const float* b, const float* c, float* __restrict out) {
  for (std::size_t r = 0; r < kBlockRows; ++r) out[r] = a[r] * b[r] * c[r];
}

}  // namespace aslant
