// Scores and bounds of all bins of a line at once.
//
// Statistics are stored class by class: that of class k in bin b is at [k * stride + b]. With d_k =
// (n l_k - t_k n0) / n, where l_k is the weight of class k in child 0 and t_k in the node, Gini's
// decrease is sum_k d_k^2 / (n0 n1) and twoing is (sum_k |d_k|)^2 / (n0 n1).
#pragma once

#include <cstddef>

namespace aslant {

constexpr std::size_t kBinScratch = 3;

struct BinLayout {
  std::size_t n_bins, stride;
};

enum class Distances { squared, absolute };  // Gini, twoing

struct NodeClasses {
  int n_classes;
  const double* total;  // t
  Distances distances;
};

// The score where child 0 holds the statistics `in0` of each bin; NaN where a child is empty.
void score_class_bins(const BinLayout& bins, const NodeClasses& node, const double* in0,
                      double* scratch, double* score);

// Marks bins in which child 0 may score more than `wanted`, given statistics between `low` and
// `high`. `scratch` has room for kBinScratch values per bin.
void mark_class_bins(const BinLayout& bins, const NodeClasses& node, const double* low,
                     const double* high, double wanted, double* scratch, unsigned char* may_win);

// The same for the entropy; `z_log_z` as in entropy.hpp.
void score_entropy_bins(const BinLayout& bins, int n_classes, const double* total,
                        const double* in0, double* scratch, double* score);
void mark_entropy_bins(const BinLayout& bins, int n_classes, const double* total, const double* low,
                       const double* high, double wanted, double* scratch, unsigned char* may_win);

// The same for the squared error of one output: weights at [b], sums of targets at [stride + b].
struct NodeTargetSums {
  double weight, sum;
};

void score_target_bins(const BinLayout& bins, const NodeTargetSums& node, const double* in0,
                       double* score);
void mark_target_bins(const BinLayout& bins, const NodeTargetSums& node, const double* low,
                      const double* high, double wanted, unsigned char* may_win);

}  // namespace aslant
