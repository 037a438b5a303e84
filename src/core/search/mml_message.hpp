// Lengths in bits of the parts of a message that describes a tree and its classes.
// P. J. Tan and D. L. Dowe, MML Inference of Oblique Decision Trees, AI 2004, LNAI 3339; C. S.
// Wallace and J. D. Patrick, Coding Decision Trees, Machine Learning 11, 1993. The receiver knows
// the features and learns the classes. src/aslant/mml/code.py explains the formulas.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace aslant {

// paper_all: the dimensions are all attributes, not those of the test.
enum class DirectionCode { paper, paper_all, cap };
enum class PositionCode { gap, pair, none };

// One of n equally likely values.
inline double choice_bits(double n) {
  return n > 1.0 ? std::log2(n) : 0.0;
}

// Which k of n.
inline double subset_bits(int n, int k) {
  double bits = 0.0;
  for (int i = 0; i < k; ++i) bits += std::log2(static_cast<double>(n - i) / (i + 1));
  return bits;
}

// The two groups of a category's levels: size of the smaller one, and its members.
inline double grouping_bits(int n_levels, int smaller) {
  const double mirrored = 2 * smaller == n_levels ? 1.0 : 0.0;  // either half names the grouping
  return choice_bits(n_levels / 2) + subset_bits(n_levels, smaller) - mirrored;
}

// The levels that a linear test reads: how many, and which. Columns of two levels are mirrored.
inline double level_bits(int n_levels, int used) {
  return n_levels <= 2 ? 0.0 : choice_bits(n_levels - 1) + subset_bits(n_levels, used);
}

// The position of the cut among the gaps between n_points points.
inline double position_bits(PositionCode code, std::size_t n_points) {
  const auto n = static_cast<double>(n_points);
  if (code == PositionCode::gap) return choice_bits(n - 1.0);
  if (code == PositionCode::pair) return choice_bits(n * (n - 1.0) / 2.0);
  return 0.0;
}

// -log2 of the share of the sphere within the angle theta of a point, by the series of the
// incomplete beta function: share = I_x((d - 1)/2, 1/2) / 2 at x = sin^2 theta <= 1/2.
inline double cap_bits(int d, double sine_squared) {
  const double a = 0.5 * (d - 1), x = sine_squared;
  double term = 1.0, sum = 1.0;
  for (int k = 0; k < 200 && term > 1e-17 * sum; ++k) {
    term *= x * (a + 0.5 + k) / (a + 1.0 + k);
    sum += term;
  }
  // log of 2 a B(a, 1/2), where B(a, 1/2) = Gamma(a) Gamma(1/2) / Gamma(a + 1/2)
  const double log_beta = std::lgamma(a) + 0.5 * std::log(std::acos(-1.0)) - std::lgamma(a + 0.5);
  const double log_share =
      a * std::log(x) + 0.5 * std::log1p(-x) - std::log(2.0 * a) - log_beta + std::log(sum);
  return -log_share / std::log(2.0);
}

// Cost of a direction in d dimensions if the nearest points on both sides are `margin` apart in the
// unit cube: directions within theta, tan theta = margin / sqrt(d), divide the points alike.
inline double direction_bits(DirectionCode code, int d, double margin) {
  if (d < 2) return 0.0;
  const double ratio = margin * margin / d;  // squared tangent
  if (code != DirectionCode::cap) return (d - 1) * std::log2(1.0 + 1.0 / ratio);
  if (d == 2) return -std::log2(std::atan(std::sqrt(ratio)) / std::acos(-1.0));
  const double sine_squared = ratio / (1.0 + ratio);
  if (d == 3) return -std::log2(sine_squared / (2.0 * (1.0 + std::sqrt(1.0 - sine_squared))));
  return cap_bits(d, sine_squared);
}

// Extra bits of the tree structure for two children instead of a leaf. Below the root both have
// probability 1/2; the root is a leaf with probability 1 / n_features.
inline double structure_bits(bool is_root, int n_features) {
  if (!is_root || n_features < 2) return 2.0;
  return 2.0 - std::log2(static_cast<double>(n_features) - 1.0);
}

// Adaptive code of the classes in a leaf: after n rows, n_k of them of class k, the next is of
// class k with probability (n_k + alpha) / (n + K alpha). In total
//   T(n, K alpha) - sum_k T(n_k, alpha),   T(n, a) = log2 Gamma(n + a) - log2 Gamma(a)
// T is rounded to multiples of 2^-28: sums are exact and independent of the order.
class LeafCode {
 public:
  // `tabulate`: all weights are integers, and T is computed once for each.
  LeafCode(double alpha, int n_classes, double total_weight, bool tabulate)
      : alpha_(alpha), n_classes_(n_classes) {
    if (!tabulate) return;
    of_class_ = table(alpha, static_cast<std::size_t>(total_weight));
    of_all_ = table(alpha * n_classes, static_cast<std::size_t>(total_weight));
  }

  double bits(const double* class_weight) const {
    double n = 0.0, saved = 0.0;
    if (of_all_.empty()) {
      for (int k = 0; k < n_classes_; ++k) {
        n += class_weight[k];
        saved += rising(class_weight[k], alpha_);
      }
      return rising(n, alpha_ * n_classes_) - saved;
    }
    for (int k = 0; k < n_classes_; ++k) {
      n += class_weight[k];
      saved += of_class_[static_cast<std::size_t>(class_weight[k])];
    }
    return of_all_[static_cast<std::size_t>(n)] - saved;
  }

 private:
  static double rounded(double bits) { return std::nearbyint(bits * 0x1p28) * 0x1p-28; }
  static double rising(double n, double a) {
    return n > 0.0 ? rounded((std::lgamma(n + a) - std::lgamma(a)) / std::log(2.0)) : 0.0;
  }
  static std::vector<double> table(double a, std::size_t largest) {
    std::vector<double> values(largest + 1, 0.0);
    double sum = 0.0;
    for (std::size_t i = 0; i < largest; ++i) {
      sum += std::log2(static_cast<double>(i) + a);
      values[i + 1] = rounded(sum);
    }
    return values;
  }

  double alpha_;
  int n_classes_;
  std::vector<double> of_class_, of_all_;
};

}  // namespace aslant
