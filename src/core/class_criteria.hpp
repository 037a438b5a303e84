// The criteria of classes: see criterion.hpp for what they have in common.
//
// Murthy, Kasif and Salzberg (1994), section 3.3 and appendix, but for the gain ratio, which is
// Quinlan's (1993). Where a paper minimises an impurity or a reciprocal we maximise the decrease:
// the order of splits is the same and nothing divides by a vanishing gain.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "criterion_kind.hpp"

namespace aslant {

// z log2 z, from a table for the small whole numbers that unweighted class counts are.
inline double z_log_z(double z) {
  static const std::vector<double> table = [] {
    std::vector<double> values(1 << 14, 0.0);
    for (std::size_t i = 2; i < values.size(); ++i)
      values[i] = static_cast<double>(i) * std::log2(static_cast<double>(i));
    return values;
  }();
  if (!(z > 0.0)) return 0.0;  // rounding may leave a tiny negative weight
  if (z < static_cast<double>(table.size())) {
    const auto whole = static_cast<std::size_t>(z);
    if (static_cast<double>(whole) == z) return table[whole];
  }
  return z * std::log2(z);
}

// Class weights of the node and of child 0; what is not in child 0 is in child 1.
class ClassWeights {
 public:
  ClassWeights(const double* total, int n_classes, std::vector<double>& scratch)
      : total_(total), n_classes_(n_classes), n_(std::accumulate(total, total + n_classes, 0.0)) {
    scratch.assign(n_classes, 0.0);
    child0_ = scratch.data();
  }
  double weight0() const { return n0_; }
  bool one_is_empty() const { return !(n0_ > 0.0) || !(n0_ < n_); }
  const double* total() const { return total_; }
  // Whether bin_scores.hpp knows the criterion.
  static constexpr bool kBounded = false;
  bool beats_is_cheap() const { return false; }

  // Child 0 now holds these class weights.
  void set(const double* class_weight0) {
    n0_ = 0.0;
    for (int k = 0; k < n_classes_; ++k) {
      child0_[k] = class_weight0[k];
      n0_ += class_weight0[k];
    }
  }

 protected:
  // Square of the distance between the two sides' share of class 0, up to the factor n0 n1: what
  // both Gini and twoing come to with two classes.
  double squared_distance() const {
    const double distance = (n_ * child0_[0] - total_[0] * n0_) / n_;
    return distance * distance;
  }
  double in1(int k) const { return total_[k] - child0_[k]; }
  void put(int k, double weight) {
    child0_[k] += weight;
    n0_ += weight;
  }

  const double* total_;
  int n_classes_;
  double n_, n0_ = 0.0;
  double* child0_;
};

// Decrease of 1 - sum p_k^2. Summed anew for every score, as all criteria are: sums carried along
// would cancel where weights differ by orders of magnitude, and let ties depend on the row order.
class Gini : public ClassWeights {
 public:
  Gini(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassWeights(total, n_classes, scratch) {
    for (int k = 0; k < n_classes; ++k) before_ += (total[k] / n_) * (total[k] / n_);
  }
  void move(int k, double weight) { put(k, weight); }
  double score() const {
    if (n_classes_ == 2) return 2.0 * squared_distance() / (n0_ * (n_ - n0_));
    double squares0 = 0.0, squares1 = 0.0;
    for (int k = 0; k < n_classes_; ++k) {
      squares0 += child0_[k] * child0_[k];
      squares1 += in1(k) * in1(k);
    }
    return (squares0 / n0_ + squares1 / (n_ - n0_)) / n_ - before_;
  }
  bool beats(double best) const {
    if (n_classes_ == 2) return 2.0 * squared_distance() > best * (n0_ * (n_ - n0_));
    return score() > best;
  }
  bool beats_is_cheap() const { return n_classes_ == 2; }
  static constexpr bool kBounded = true;

 private:
  double before_ = 0.0;
};

// Decrease of the entropy, in bits: the information gain.
class Entropy : public ClassWeights {
 public:
  Entropy(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassWeights(total, n_classes, scratch), before_(z_log_z(n_)) {
    for (int k = 0; k < n_classes; ++k) before_ -= z_log_z(total[k]);
  }
  void move(int k, double weight) { put(k, weight); }
  double score() const {
    double after = z_log_z(n0_) + z_log_z(n_ - n0_);
    for (int k = 0; k < n_classes_; ++k) after -= z_log_z(child0_[k]) + z_log_z(in1(k));
    return (before_ - after) / n_;
  }
  bool beats(double best) const { return score() > best; }

 private:
  double before_;
};

// Information gain over the entropy of the branch sizes.
class GainRatio : public Entropy {
 public:
  using Entropy::Entropy;
  double score() const {
    const double branches = (z_log_z(n_) - z_log_z(n0_) - z_log_z(n_ - n0_)) / n_;
    return branches > 0.0 ? Entropy::score() / branches : 0.0;
  }
  bool beats(double best) const { return score() > best; }
};

// (n0/n)(n1/n) (sum_k |p_k|0 - p_k|1|)^2, with the fractions cleared.
class Twoing : public ClassWeights {
 public:
  using ClassWeights::ClassWeights;
  void move(int k, double weight) { put(k, weight); }
  double score() const {
    if (n_classes_ == 2) return 4.0 * squared_distance() / (n0_ * (n_ - n0_));
    double distance = 0.0;
    for (int k = 0; k < n_classes_; ++k) distance += std::abs(n_ * child0_[k] - total_[k] * n0_);
    distance /= n_;
    return distance * distance / (n0_ * (n_ - n0_));
  }
  bool beats(double best) const {
    if (n_classes_ == 2) return 4.0 * squared_distance() > best * (n0_ * (n_ - n0_));
    return score() > best;
  }
  bool beats_is_cheap() const { return n_classes_ == 2; }
  static constexpr bool kBounded = true;
};

// What is not of the majority class, on either side.
class Minorities : public ClassWeights {
 public:
  Minorities(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassWeights(total, n_classes, scratch),
        before_(n_ - *std::max_element(total, total + n_classes)) {}
  void move(int k, double weight) { put(k, weight); }

 protected:
  double minority0() const { return n0_ - *std::max_element(child0_, child0_ + n_classes_); }
  double minority1() const {
    double most = 0.0;
    for (int k = 0; k < n_classes_; ++k) most = std::max(most, in1(k));
    return n_ - n0_ - most;
  }
  double before_;
};

class MaxMinority : public Minorities {
 public:
  using Minorities::Minorities;
  double score() const { return (before_ - std::max(minority0(), minority1())) / n_; }
  bool beats(double best) const { return score() > best; }
};

class SumMinority : public Minorities {
 public:
  using Minorities::Minorities;
  double score() const { return (before_ - minority0() - minority1()) / n_; }
  bool beats(double best) const { return score() > best; }
};

// The decrease of the variance of class numbers, which are first assigned by frequency at the node.
class SumOfVariances : public ClassWeights {
 public:
  SumOfVariances(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassWeights(total, n_classes, scratch), rank_(n_classes) {
    std::vector<int> order(n_classes);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [total](int a, int b) { return total[a] > total[b]; });
    for (int i = 0; i < n_classes; ++i) rank_[order[i]] = i + 1.0;
    for (int k = 0; k < n_classes; ++k) mean_ += total[k] * rank_[k] / n_;
  }
  void move(int k, double weight) { put(k, weight); }
  // With ranks counted from their mean, the sums of the children are each other's negatives.
  double score() const {
    double sum0 = 0.0;
    for (int k = 0; k < n_classes_; ++k) sum0 += child0_[k] * (rank_[k] - mean_);
    return sum0 * sum0 / (n0_ * (n_ - n0_));
  }
  bool beats(double best) const { return score() > best; }
  // Variance of these ranks within one child.
  double variance(const double* child) const {
    double n = 0.0, mean = 0.0, squares = 0.0;
    for (int k = 0; k < n_classes_; ++k) n += child[k];
    for (int k = 0; k < n_classes_; ++k) mean += child[k] * rank_[k] / n;
    for (int k = 0; k < n_classes_; ++k)
      squares += child[k] * (rank_[k] - mean) * (rank_[k] - mean) / n;
    return squares;
  }

 private:
  std::vector<double> rank_;
  double mean_ = 0.0;
};

// The decrease that a criterion of somebody's own says.
class Own : public ClassWeights {
 public:
  Own(const double* total, int n_classes, std::vector<double>& scratch,
      const OwnCriterion& criterion)
      : ClassWeights(total, n_classes, scratch), criterion_(criterion) {}
  void move(int k, double weight) { put(k, weight); }
  double score() const { return criterion_.score(child0_, total_, n_classes_); }
  bool beats(double best) const { return score() > best; }

 private:
  const OwnCriterion& criterion_;
};

}  // namespace aslant
