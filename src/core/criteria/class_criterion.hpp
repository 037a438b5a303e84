// The statistics shared by all classification criteria: class weights of the node and of child 0.
//
// A criterion scores the current partition: higher is better, 0 means no better than not splitting.
// Rows move in and out of child 0 between scores. Sweeps are compiled once per criterion, so no
// virtual call runs inside them. docs/adding-a-criterion.md lists the required members.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "criteria/traits.hpp"

namespace aslant {

// Gini impurity, 1 - sum p_k^2: also used by criteria that are defined for two children only.
inline double gini_impurity(const double* total, int n_classes) {
  const double n = std::accumulate(total, total + n_classes, 0.0);
  double squares = 0.0;
  for (int k = 0; k < n_classes; ++k) squares += (total[k] / n) * (total[k] / n);
  return std::max(0.0, 1.0 - squares);
}

// Decrease of a criterion's impurity by a partition into any number of children.
template <class Criterion>
double impurity_decrease(const ChildStatistics& children, const std::vector<double>& total) {
  const auto n_classes = static_cast<int>(total.size());
  const double n = std::accumulate(total.begin(), total.end(), 0.0);
  double after = 0.0;
  for (const std::vector<double>& child : children) {
    const double size = std::accumulate(child.begin(), child.end(), 0.0);
    if (size > 0.0) after += size / n * Criterion::impurity(child.data(), n_classes);
  }
  return Criterion::impurity(total.data(), n_classes) - after;
}

class ClassCriterion {
 public:
  static constexpr Task kTask = Task::classification;

  // The node holds these class weights; child 0 is empty.
  ClassCriterion(const double* total, int n_classes, std::vector<double>& scratch)
      : total_(total), n_classes_(n_classes), n_(std::accumulate(total, total + n_classes, 0.0)) {
    scratch.assign(n_classes, 0.0);
    child0_ = scratch.data();
  }

  // A row enters child 0; with a negative weight it leaves.
  void move(int k, double weight) {
    child0_[k] += weight;
    n0_ += weight;
  }
  // Child 0 now holds these class weights.
  void set(const double* class_weight0) {
    n0_ = 0.0;
    for (int k = 0; k < n_classes_; ++k) {
      child0_[k] = class_weight0[k];
      n0_ += class_weight0[k];
    }
  }
  double weight0() const { return n0_; }
  const double* in0() const { return child0_; }  // the statistics of child 0
  bool one_is_empty() const { return !(n0_ > 0.0) || !(n0_ < n_); }

  // Defaults of the optional members: see traits.hpp.
  static constexpr bool kBoundsBins = false;
  static constexpr bool kComparesFast = false;
  static constexpr bool kUsesCounts = false;
  static constexpr bool kHasLimit = false;
  static constexpr double kBoundOfEmptyChild = 0.0;  // one side has all rows: no gain

 protected:
  // Squared difference of the two sides' proportions of class 0, up to the factor n0 n1: with two
  // classes, Gini and twoing are multiples of it.
  double squared_distance() const {
    const double distance = (n_ * child0_[0] - total_[0] * n0_) / n_;
    return distance * distance;
  }
  double in1(int k) const { return total_[k] - child0_[k]; }

  const double* total_;
  int n_classes_;
  double n_, n0_ = 0.0;
  double* child0_;
};

}  // namespace aslant
