#include "mean.hpp"

#include "multiversion.hpp"

namespace aslant {

namespace {

constexpr int kSums = 8;  // they do not wait for each other

// Sums of value(i) * weight in twofold precision, value i going to sum i % kSums.
template <class Value>
ASLANT_INLINE double mean_by_lanes(const double* weight, std::size_t n, const Value& value) {
  double sum[kSums] = {}, lost[kSums] = {};
  const auto total = static_cast<double>(n);
  const std::size_t whole = weight ? 0 : n / kSums * kSums;
  for (std::size_t i = 0; i < whole; i += kSums)
    for (int l = 0; l < kSums; ++l) {
      const double x = value(i + l), next = sum[l] + x, added = next - sum[l];
      lost[l] += (sum[l] - (next - added)) + (x - added);
      sum[l] = next;
    }
  AccurateSum all;
  for (int l = 0; l < kSums; ++l) all.add_sum(sum[l], lost[l]);
  AccurateSum weights;
  for (std::size_t i = whole; i < n; ++i) {
    all.add(value(i), weight ? weight[i] : 1.0);
    if (weight) weights.add(weight[i], 1.0);
  }
  return all.over(weight ? weights.value() : total);
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
