// Fisher's discriminant with a ridge, between any two groups of a node's classes.
#pragma once

#include <algorithm>
#include <vector>

#include "moving_plane.hpp"

namespace aslant {

// Two groups of classes, 0 or 1 for every class.
using Grouping = std::vector<char>;

// What the discriminants of all groupings share: the columns in units of their deviations, the
// means of the classes and one factor of the common scatter.
class ClassGroupings {
 public:
  // `columns` are those that vary.
  ClassGroupings(const Node& node, const std::vector<int>& columns);

  // Coefficients for all columns of the node, along which the two groups lie farthest apart
  // relative to the spread of all rows; empty if a group has no rows or the means agree.
  std::vector<double> direction(const Grouping& grouping) const;

  // Each class that occurs against the others, heaviest first.
  std::vector<Grouping> one_against_rest() const;

  // The classes by the child that most of their rows go to.
  Grouping by_side(const Split& split) const;

  // The means divided by 2-means clustering in the metric of the scatter, from the two farthest
  // apart.
  Grouping by_two_means() const;

  const std::vector<int>& present() const { return present_; }  // heaviest class first
  // Mean and deviation of one of the columns.
  PlaneFeatures::Scale scale_of(int column) const {
    return scale_[std::find(columns_.begin(), columns_.end(), column) - columns_.begin()];
  }

 private:
  const std::vector<double>& class_weight() const { return node_.target().class_weight(); }

  const Node& node_;
  const std::vector<int>& columns_;
  std::vector<int> present_;
  std::vector<PlaneFeatures::Scale> scale_;      // mean and deviation of each column
  std::vector<std::vector<double>> class_mean_;  // by class, in units of deviations
  std::vector<double> factor_;                   // of the scatter with its ridge
};

}  // namespace aslant
