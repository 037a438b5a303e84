#include "criteria/bin_scores.hpp"

#include <algorithm>
#include <cmath>

#include "criteria/entropy.hpp"
#include "support/multiversion.hpp"

namespace aslant {

namespace {

double sum_of(const NodeClasses& node) {
  double n = 0.0;
  for (int k = 0; k < node.n_classes; ++k) n += node.total[k];
  return n;
}

ASLANT_INLINE double smaller(double a, double b) {
  return a < b ? a : b;
}
ASLANT_INLINE double larger(double a, double b) {
  return a > b ? a : b;
}

// With two classes, the four corners of the box bound the convex score. Compares without dividing
// by n^2 n0 n1.
ASLANT_INLINE bool corner_of_two_beats(double l0, double l1, double t0, double n, double constant,
                                       double wanted) {
  const double n0 = l0 + l1, d = n * l0 - t0 * n0, product = n0 * (n - n0);
  return constant * (d * d) > wanted * (product > 0.0 ? product : 0.0);
}

}  // namespace

ASLANT_MULTIVERSION
void score_class_bins(const BinLayout& bins, const NodeClasses& node, const double* in0,
                      double* scratch, double* score) {
  const bool absolute = node.distances == Distances::absolute;
  const double n = sum_of(node), constant = absolute ? 4.0 : 2.0;
  const std::size_t n_bins = bins.n_bins, stride = bins.stride;
  if (node.n_classes == 2) {
    const double t0 = node.total[0];
    for (std::size_t b = 0; b < n_bins; ++b) {
      const double l0 = in0[b], n0 = l0 + in0[stride + b], d = n * l0 - t0 * n0;
      score[b] = constant * (d * d) / (n * n * (n0 * (n - n0)));
    }
    return;
  }
  double* n0 = scratch;
  for (std::size_t b = 0; b < n_bins; ++b) n0[b] = score[b] = 0.0;
  for (int k = 0; k < node.n_classes; ++k)
    for (std::size_t b = 0; b < n_bins; ++b) n0[b] += in0[k * stride + b];
  for (int k = 0; k < node.n_classes; ++k) {
    const double t = node.total[k];
    const double* l = in0 + k * stride;
    if (absolute)
      for (std::size_t b = 0; b < n_bins; ++b) score[b] += std::abs(n * l[b] - t * n0[b]);
    else
      for (std::size_t b = 0; b < n_bins; ++b)
        score[b] += (n * l[b] - t * n0[b]) * (n * l[b] - t * n0[b]);
  }
  for (std::size_t b = 0; b < n_bins; ++b) {
    const double squares = absolute ? score[b] * score[b] : score[b];
    score[b] = squares / (n * n * (n0[b] * (n - n0[b])));
  }
}

ASLANT_MULTIVERSION
void mark_class_bins(const BinLayout& bins, const NodeClasses& node, const double* low,
                     const double* high, double wanted, double* scratch, unsigned char* may_win) {
  const bool absolute = node.distances == Distances::absolute;
  const double n = sum_of(node), constant = absolute ? 4.0 : 2.0;
  const std::size_t n_bins = bins.n_bins, stride = bins.stride;
  if (node.n_classes == 2) {
    const double t0 = node.total[0], least = n * n * wanted;
    const double *low1 = low + stride, *high1 = high + stride;
    for (std::size_t b = 0; b < n_bins; ++b)
      may_win[b] = static_cast<unsigned char>(
          corner_of_two_beats(low[b], low1[b], t0, n, constant, least) |
          corner_of_two_beats(low[b], high1[b], t0, n, constant, least) |
          corner_of_two_beats(high[b], low1[b], t0, n, constant, least) |
          corner_of_two_beats(high[b], high1[b], t0, n, constant, least) | (wanted < 0.0));
    return;
  }
  double *least = scratch, *most = scratch + n_bins, *sum = scratch + 2 * n_bins;
  for (std::size_t b = 0; b < n_bins; ++b) least[b] = most[b] = sum[b] = 0.0;
  for (int k = 0; k < node.n_classes; ++k)
    for (std::size_t b = 0; b < n_bins; ++b) {
      least[b] += low[k * stride + b];
      most[b] += high[k * stride + b];
    }
  // The greatest |d_k| in the box.
  for (int k = 0; k < node.n_classes; ++k) {
    const double share = node.total[k] / n;
    const double *low_k = low + k * stride, *high_k = high + k * stride;
    for (std::size_t b = 0; b < n_bins; ++b) {
      const double d = larger(high_k[b] - share * least[b], share * most[b] - low_k[b]);
      sum[b] += absolute ? d : d * d;
    }
  }
  // The score is at most 2 n0 n1 / n^2 (twoing: 4), and at most the sum over the least product of
  // sizes, which is at an end of the box.
  for (std::size_t b = 0; b < n_bins; ++b) {
    const double nearest = smaller(larger(n / 2.0, least[b]), most[b]);
    const double product = smaller(least[b] * (n - least[b]), most[b] * (n - most[b]));
    const double squares = absolute ? sum[b] * sum[b] : sum[b];
    const bool by_sizes = constant * (nearest * (n - nearest)) > wanted * (n * n);
    const bool by_distances = squares > wanted * (product > 0.0 ? product : 0.0);
    may_win[b] = static_cast<unsigned char>((by_sizes & by_distances) | (wanted < 0.0));
  }
}

namespace {

// n log2 n minus that of the children: n times the entropy of the sizes.
double branch_bits(double n0, double n) {
  return z_log_z(n) - z_log_z(n0) - z_log_z(n - n0);
}

// Weights of child 0 in all bins.
void sum_classes(const BinLayout& bins, int n_classes, const double* weight, double* sum) {
  for (std::size_t b = 0; b < bins.n_bins; ++b) sum[b] = 0.0;
  for (int k = 0; k < n_classes; ++k)
    for (std::size_t b = 0; b < bins.n_bins; ++b) sum[b] += weight[k * bins.stride + b];
}

// With few classes, evaluates every corner of the box.
template <int kClasses>
void mark_corners(const BinLayout& bins, const double* total, const double* low, const double* high,
                  double n, double least, unsigned char* may_win) {
  for (std::size_t b = 0; b < bins.n_bins; ++b) {
    double weight[kClasses][2], part[kClasses][2];
    for (int k = 0; k < kClasses; ++k)
      for (int end = 0; end < 2; ++end) {
        const double l = (end == 0 ? low : high)[k * bins.stride + b];
        weight[k][end] = l;
        part[k][end] = z_log_z(l) + z_log_z(total[k] - l);
      }
    bool wins = false;
    for (int corner = 0; corner < 1 << kClasses && !wins; ++corner) {
      double n0 = 0.0, sum = 0.0;
      for (int k = 0; k < kClasses; ++k) {
        n0 += weight[k][corner >> k & 1];
        sum += part[k][corner >> k & 1];
      }
      wins = sum - z_log_z(n0) - z_log_z(n - n0) > least;
    }
    may_win[b] = static_cast<unsigned char>(wins);
  }
}

}  // namespace

void score_entropy_bins(const BinLayout& bins, int n_classes, const double* total,
                        const double* in0, double* scratch, double* score) {
  double n = 0.0, before = 0.0;
  for (int k = 0; k < n_classes; ++k) {
    n += total[k];
    before += z_log_z(total[k]);
  }
  double* n0 = scratch;
  sum_classes(bins, n_classes, in0, n0);
  for (std::size_t b = 0; b < bins.n_bins; ++b) score[b] = branch_bits(n0[b], n) - before;
  for (int k = 0; k < n_classes; ++k)
    for (std::size_t b = 0; b < bins.n_bins; ++b) {
      const double l = in0[k * bins.stride + b];
      score[b] += z_log_z(l) + z_log_z(total[k] - l);
    }
  for (std::size_t b = 0; b < bins.n_bins; ++b) score[b] /= n;
}

// n times the gain is the sum over the classes of h_k(l_k, n0) + t_k log2(n / t_k), where h_k(l, m)
// = l log2(l / m) + (t_k - l) log2((t_k - l) / (n - m)) is jointly convex: the corners of the box
// of (l_k, n0) bound each h_k. The gain is also at most the entropy of the sizes.
void mark_entropy_bins(const BinLayout& bins, int n_classes, const double* total, const double* low,
                       const double* high, double wanted, double* scratch, unsigned char* may_win) {
  double n = 0.0, parts = 0.0;
  for (int k = 0; k < n_classes; ++k) {
    n += total[k];
    parts += z_log_z(total[k]);
  }
  // Tolerance: rounding of sums must not hide a bin.
  const double least = wanted * n - (z_log_z(n) - parts) - 1e-12 * z_log_z(n);
  if (n_classes == 2) return mark_corners<2>(bins, total, low, high, n, least, may_win);
  if (n_classes == 3) return mark_corners<3>(bins, total, low, high, n, least, may_win);
  double *fewest = scratch, *most = scratch + bins.n_bins, *sum = scratch + 2 * bins.n_bins;
  sum_classes(bins, n_classes, low, fewest);
  sum_classes(bins, n_classes, high, most);
  for (std::size_t b = 0; b < bins.n_bins; ++b) {
    const double nearest = smaller(larger(n / 2.0, fewest[b]), most[b]);
    sum[b] = 0.0;
    may_win[b] = static_cast<unsigned char>(branch_bits(nearest, n) > wanted * n - 1e-12 * n);
    if (!may_win[b] || !(fewest[b] > 0.0) || !(most[b] < n)) continue;
    const double log0[2] = {std::log2(fewest[b]), std::log2(most[b])};
    const double log1[2] = {std::log2(n - fewest[b]), std::log2(n - most[b])};
    for (int k = 0; k < n_classes; ++k) {
      const double t = total[k], ends[2] = {low[k * bins.stride + b], high[k * bins.stride + b]};
      double bound = -HUGE_VAL;
      for (const double l : ends) {
        const double part = z_log_z(l) + z_log_z(t - l);
        const double by_low = part - l * log0[0] - (t - l) * log1[0];
        const double by_high = part - l * log0[1] - (t - l) * log1[1];
        bound = larger(bound, larger(by_low, by_high));
      }
      sum[b] += bound;
    }
    may_win[b] = static_cast<unsigned char>(sum[b] > least);
  }
}

namespace {

// Whether child 0 of this weight and sum has a larger decrease. An empty child has no bound.
ASLANT_INLINE bool decreases_more(double n0, double s0, double n, double s, double wanted) {
  const double n1 = n - n0, s1 = s - s0;
  return (s0 * s0 * n1 + s1 * s1 * n0 > wanted * (n0 * n1)) | !((n0 > 0.0) & (n1 > 0.0));
}

}  // namespace

ASLANT_MULTIVERSION
void score_target_bins(const BinLayout& bins, const NodeTargetSums& node, const double* in0,
                       double* score) {
  const double n = node.weight, s = node.sum, before = s * s / n;
  for (std::size_t b = 0; b < bins.n_bins; ++b) {
    const double n0 = in0[b], s0 = in0[bins.stride + b], s1 = s - s0;
    score[b] = (s0 * s0 / n0 + s1 * s1 / (n - n0) - before) / n;
  }
}

// The decrease is convex, so its maximum is at a corner of the box.
ASLANT_MULTIVERSION
void mark_target_bins(const BinLayout& bins, const NodeTargetSums& node, const double* low,
                      const double* high, double wanted, unsigned char* may_win) {
  const double n = node.weight, s = node.sum, least = wanted * n + s * s / n;
  const double *low_sum = low + bins.stride, *high_sum = high + bins.stride;
  for (std::size_t b = 0; b < bins.n_bins; ++b)
    may_win[b] = static_cast<unsigned char>(decreases_more(low[b], low_sum[b], n, s, least) |
                                            decreases_more(low[b], high_sum[b], n, s, least) |
                                            decreases_more(high[b], low_sum[b], n, s, least) |
                                            decreases_more(high[b], high_sum[b], n, s, least));
}

}  // namespace aslant
