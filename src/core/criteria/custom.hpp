// A user-defined score of the class weights of both children.
#pragma once

#include "criteria/class_criterion.hpp"

namespace aslant {

// The user's function, kept alive by its creator.
class CustomCriterion {
 public:
  virtual ~CustomCriterion() = default;
  virtual double score(const double* child0, const double* total, int n_classes) const = 0;
};

class Custom : public ClassCriterion {
 public:
  static constexpr const char* kName = "";  // unnamed: see CriterionKind
  static constexpr bool kConvex = false;    // unknown
  static constexpr double kLeastScore = kMustBePositive;

  Custom(const double* total, int n_classes, std::vector<double>& scratch,
         const CustomCriterion& criterion)
      : ClassCriterion(total, n_classes, scratch), criterion_(criterion) {}
  double score() const { return criterion_.score(child0_, total_, n_classes_); }
  // The function scores two children; the Gini impurity stands in for a single node.
  static double impurity(const double* total, int n_classes) {
    return gini_impurity(total, n_classes);
  }

 private:
  const CustomCriterion& criterion_;
};

}  // namespace aslant
