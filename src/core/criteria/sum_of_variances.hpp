// Decrease of the variance of class numbers.
//
// Murthy, Kasif and Salzberg (1994), appendix (their "sum of variances"). Class numbers are
// arbitrary, so classes are numbered by descending frequency in the node.
#pragma once

#include "criteria/class_criterion.hpp"

namespace aslant {

class SumOfVariances : public ClassCriterion {
 public:
  static constexpr const char* kName = "sum_of_variances";
  static constexpr bool kConvex = true;
  static constexpr double kLeastScore = kMustBePositive;

  SumOfVariances(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassCriterion(total, n_classes, scratch), rank_(n_classes) {
    std::vector<int> order(n_classes);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [total](int a, int b) { return total[a] > total[b]; });
    for (int i = 0; i < n_classes; ++i) rank_[order[i]] = i + 1.0;
    for (int k = 0; k < n_classes; ++k) mean_ += total[k] * rank_[k] / n_;
  }
  // Ranks are centered, so the sums of the two children are negatives of each other.
  double score() const {
    double sum0 = 0.0;
    for (int k = 0; k < n_classes_; ++k) sum0 += child0_[k] * (rank_[k] - mean_);
    return sum0 * sum0 / (n0_ * (n_ - n0_));
  }
  static double impurity(const double* total, int n_classes) {
    std::vector<double> scratch, sorted(total, total + n_classes);
    std::sort(sorted.rbegin(), sorted.rend());  // sums by rank, independent of class order
    return SumOfVariances(sorted.data(), n_classes, scratch)
        .variance(sorted.data(), std::accumulate(total, total + n_classes, 0.0));
  }
  // All children use the node's ranks.
  static double multiway_score(const ChildStatistics& children, const std::vector<double>& total) {
    std::vector<double> scratch;
    const SumOfVariances ranked(total.data(), static_cast<int>(total.size()), scratch);
    double after = 0.0;
    for (const std::vector<double>& child : children) {
      const double size = std::accumulate(child.begin(), child.end(), 0.0);
      if (size > 0.0) after += size / ranked.n_ * ranked.variance(child.data(), size);
    }
    return impurity(total.data(), static_cast<int>(total.size())) - after;
  }

 private:
  // Variance of these ranks within a child of weight n.
  double variance(const double* child, double n) const {
    double mean = 0.0, squares = 0.0;
    for (int k = 0; k < n_classes_; ++k) mean += child[k] * rank_[k] / n;
    for (int k = 0; k < n_classes_; ++k)
      squares += child[k] * (rank_[k] - mean) * (rank_[k] - mean) / n;
    return squares;
  }

  std::vector<double> rank_;
  double mean_ = 0.0;
};

}  // namespace aslant
