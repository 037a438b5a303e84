// Fisher's discriminant with a ridge, between any two groups of a node's classes.
#pragma once

#include <algorithm>
#include <vector>

#include "line/moving_plane.hpp"

namespace aslant {

// Two groups of classes, 0 or 1 for every class.
using Grouping = std::vector<char>;

double squared_distance(const std::vector<double>& a, const std::vector<double>& b);

// Each present class against the rest, heaviest first.
std::vector<Grouping> one_against_rest(const NodeTarget& target);

// Shared by the discriminants of all groupings: column scales, class means, factor of the scatter.
class ClassGroupings {
 public:
  ClassGroupings(const Node& node, const std::vector<int>& columns);  // that vary

  // Coefficients for all columns of the node that separate the two groups best, relative to the
  // spread of all rows; empty if a group has no rows or the means agree.
  std::vector<double> direction(const Grouping& grouping) const;

  // Assigns each class to the child that gets most of its rows.
  Grouping by_side(const Split& split) const;

  // 2-means clustering of the class means in the metric of the scatter, from the farthest pair.
  Grouping by_two_means() const;

  const std::vector<int>& present() const { return present_; }  // heaviest class first
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
