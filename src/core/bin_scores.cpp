#include "bin_scores.hpp"

#include <algorithm>
#include <cmath>

#include "multiversion.hpp"

namespace aslant {

namespace {

double sum_of(const BinsOfClasses& bins) {
  double n = 0.0;
  for (int k = 0; k < bins.n_classes; ++k) n += bins.total[k];
  return n;
}

ASLANT_INLINE double smaller(double a, double b) {
  return a < b ? a : b;
}
ASLANT_INLINE double larger(double a, double b) {
  return a > b ? a : b;
}

// With two classes the corners of the box tell all: the score is convex. It is compared without
// dividing by n^2 n0 n1.
ASLANT_INLINE bool corner_beats(double l0, double l1, double t0, double n, double constant,
                                double wanted) {
  const double n0 = l0 + l1, d = n * l0 - t0 * n0, product = n0 * (n - n0);
  return constant * (d * d) > wanted * (product > 0.0 ? product : 0.0);
}

}  // namespace

ASLANT_MULTIVERSION
void score_bins(const BinsOfClasses& bins, const double* in0, double* scratch, double* score) {
  const double n = sum_of(bins), constant = bins.twoing ? 4.0 : 2.0;
  const std::size_t n_bins = bins.n_bins, stride = bins.stride;
  if (bins.n_classes == 2) {
    const double t0 = bins.total[0];
    for (std::size_t b = 0; b < n_bins; ++b) {
      const double l0 = in0[b], n0 = l0 + in0[stride + b], d = n * l0 - t0 * n0;
      score[b] = constant * (d * d) / (n * n * (n0 * (n - n0)));
    }
    return;
  }
  double* n0 = scratch;
  for (std::size_t b = 0; b < n_bins; ++b) n0[b] = score[b] = 0.0;
  for (int k = 0; k < bins.n_classes; ++k)
    for (std::size_t b = 0; b < n_bins; ++b) n0[b] += in0[k * stride + b];
  for (int k = 0; k < bins.n_classes; ++k) {
    const double t = bins.total[k];
    const double* l = in0 + k * stride;
    if (bins.twoing)
      for (std::size_t b = 0; b < n_bins; ++b) score[b] += std::abs(n * l[b] - t * n0[b]);
    else
      for (std::size_t b = 0; b < n_bins; ++b)
        score[b] += (n * l[b] - t * n0[b]) * (n * l[b] - t * n0[b]);
  }
  for (std::size_t b = 0; b < n_bins; ++b) {
    const double squares = bins.twoing ? score[b] * score[b] : score[b];
    score[b] = squares / (n * n * (n0[b] * (n - n0[b])));
  }
}

ASLANT_MULTIVERSION
void mark_bins(const BinsOfClasses& bins, const double* low, const double* high, double wanted,
               double* scratch, unsigned char* may_win) {
  const double n = sum_of(bins), constant = bins.twoing ? 4.0 : 2.0;
  const std::size_t n_bins = bins.n_bins, stride = bins.stride;
  if (bins.n_classes == 2) {
    const double t0 = bins.total[0], least = n * n * wanted;
    const double *low1 = low + stride, *high1 = high + stride;
    for (std::size_t b = 0; b < n_bins; ++b)
      may_win[b] = static_cast<unsigned char>(
          corner_beats(low[b], low1[b], t0, n, constant, least) |
          corner_beats(low[b], high1[b], t0, n, constant, least) |
          corner_beats(high[b], low1[b], t0, n, constant, least) |
          corner_beats(high[b], high1[b], t0, n, constant, least) | (wanted < 0.0));
    return;
  }
  double *least = scratch, *most = scratch + n_bins, *sum = scratch + 2 * n_bins;
  for (std::size_t b = 0; b < n_bins; ++b) least[b] = most[b] = sum[b] = 0.0;
  for (int k = 0; k < bins.n_classes; ++k)
    for (std::size_t b = 0; b < n_bins; ++b) {
      least[b] += low[k * stride + b];
      most[b] += high[k * stride + b];
    }
  // The greatest |d_k| in the box.
  for (int k = 0; k < bins.n_classes; ++k) {
    const double share = bins.total[k] / n;
    const double *low_k = low + k * stride, *high_k = high + k * stride;
    for (std::size_t b = 0; b < n_bins; ++b) {
      const double d = larger(high_k[b] - share * least[b], share * most[b] - low_k[b]);
      sum[b] += bins.twoing ? d : d * d;
    }
  }
  // The score is at most 2 n0 n1 / n^2 (twoing: 4), and the sum over the least product of sizes in
  // the box, which is at one of its ends.
  for (std::size_t b = 0; b < n_bins; ++b) {
    const double nearest = smaller(larger(n / 2.0, least[b]), most[b]);
    const double product = smaller(least[b] * (n - least[b]), most[b] * (n - most[b]));
    const double squares = bins.twoing ? sum[b] * sum[b] : sum[b];
    const bool by_sizes = constant * (nearest * (n - nearest)) > wanted * (n * n);
    const bool by_distances = squares > wanted * (product > 0.0 ? product : 0.0);
    may_win[b] = static_cast<unsigned char>((by_sizes & by_distances) | (wanted < 0.0));
  }
}

namespace {

// Whether child 0 of this weight and sum decreases more; a child without weight may do anything.
ASLANT_INLINE bool decreases_more(double n0, double s0, double n, double s, double wanted) {
  const double n1 = n - n0, s1 = s - s0;
  return (s0 * s0 * n1 + s1 * s1 * n0 > wanted * (n0 * n1)) | !((n0 > 0.0) & (n1 > 0.0));
}

}  // namespace

ASLANT_MULTIVERSION
void score_number_bins(const BinsOfNumbers& bins, const double* in0, double* score) {
  const double n = bins.weight, s = bins.sum, before = s * s / n;
  for (std::size_t b = 0; b < bins.n_bins; ++b) {
    const double n0 = in0[b], s0 = in0[bins.stride + b], s1 = s - s0;
    score[b] = (s0 * s0 / n0 + s1 * s1 / (n - n0) - before) / n;
  }
}

// The decrease is convex, so it is greatest at a corner of the box.
ASLANT_MULTIVERSION
void mark_number_bins(const BinsOfNumbers& bins, const double* low, const double* high,
                      double wanted, unsigned char* may_win) {
  const double n = bins.weight, s = bins.sum, least = wanted * n + s * s / n;
  const double *low_sum = low + bins.stride, *high_sum = high + bins.stride;
  for (std::size_t b = 0; b < bins.n_bins; ++b)
    may_win[b] = static_cast<unsigned char>(decreases_more(low[b], low_sum[b], n, s, least) |
                                            decreases_more(low[b], high_sum[b], n, s, least) |
                                            decreases_more(high[b], low_sum[b], n, s, least) |
                                            decreases_more(high[b], high_sum[b], n, s, least));
}

}  // namespace aslant
