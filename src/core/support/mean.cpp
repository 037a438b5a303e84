#include "support/mean.hpp"

#include "support/multiversion.hpp"

namespace aslant {

namespace {

constexpr int kSums = 8;  // independent accumulators

// AccurateSum, value i going to sum i % kSums.
struct Lanes {
  double sum[kSums] = {}, lost[kSums] = {};

  ASLANT_INLINE void add(int l, double x) {
    const double next = sum[l] + x, added = next - sum[l];
    lost[l] += (sum[l] - (next - added)) + (x - added);
    sum[l] = next;
  }
  AccurateSum all() const {
    AccurateSum total;
    for (int l = 0; l < kSums; ++l) total.add_sum(sum[l], lost[l]);
    return total;
  }
};

template <class Value>
ASLANT_INLINE double mean_by_lanes(const double* weight, std::size_t n, const Value& value) {
  Lanes sums, weights;
  const std::size_t whole = n / kSums * kSums;
  if (weight == nullptr)
    for (std::size_t i = 0; i < whole; i += kSums)
      for (int l = 0; l < kSums; ++l) sums.add(l, value(i + l));
  else
    for (std::size_t i = 0; i < whole; i += kSums)
      for (int l = 0; l < kSums; ++l) {
        const double x = value(i + l), w = weight[i + l], product = x * w;
        sums.lost[l] += std::fma(x, w, -product);
        sums.add(l, product);
        weights.add(l, w);
      }
  AccurateSum all = sums.all(), all_weights = weights.all();
  for (std::size_t i = whole; i < n; ++i) {
    all.add(value(i), weight ? weight[i] : 1.0);
    if (weight) all_weights.add(weight[i], 1.0);
  }
  return all.over(weight ? all_weights.value() : static_cast<double>(n));
}

}  // namespace

ASLANT_MULTIVERSION
double mean_of(const double* x, const double* weight, std::size_t n) {
  return mean_by_lanes(weight, n, [x](std::size_t i) { return x[i]; });
}

ASLANT_MULTIVERSION
double mean_square_about(double centre, const double* x, const double* weight, std::size_t n) {
  return mean_by_lanes(weight, n,
                       [x, centre](std::size_t i) { return (x[i] - centre) * (x[i] - centre); });
}

}  // namespace aslant
