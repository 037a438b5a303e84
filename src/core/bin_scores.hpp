// What Gini and twoing make of all bins of a line at a time.
//
// Statistics are class weights, class after class: that of class k in bin b is at [k * stride + b].
// With d_k = (n l_k - t_k n0) / n, l_k being the weight of class k in child 0 and t_k in the node,
// Gini's decrease is sum_k d_k^2 / (n0 n1) and twoing is (sum_k |d_k|)^2 / (n0 n1).
#pragma once

#include <cstddef>

namespace aslant {

struct BinsOfClasses {
  std::size_t n_bins, stride;
  int n_classes;
  const double* total;  // t
  bool twoing;          // else Gini
};

// The score where child 0 holds the statistics of each bin; not a number where a child is empty.
void score_bins(const BinsOfClasses& bins, const double* in0, double* scratch, double* score);

// Which bins may hold a child 0 that scores more than `wanted`, if its statistics lie between `low`
// and `high`. `scratch` has room for three times the bins.
void mark_bins(const BinsOfClasses& bins, const double* low, const double* high, double wanted,
               double* scratch, unsigned char* may_win);

// The same for the squared error of numbers: the statistics of a bin are weight and sum, that of
// weights at [b], that of sums at [stride + b].
struct BinsOfNumbers {
  std::size_t n_bins, stride;
  double weight, sum;  // of the node
};

void score_number_bins(const BinsOfNumbers& bins, const double* in0, double* score);
void mark_number_bins(const BinsOfNumbers& bins, const double* low, const double* high,
                      double wanted, unsigned char* may_win);

}  // namespace aslant
