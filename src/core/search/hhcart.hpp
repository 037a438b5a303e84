// HHCART: axis-parallel splits of reflected rows.
#pragma once

#include "search.hpp"
#include "search/orientation.hpp"

namespace aslant {

struct HHCartOptions {
  OrientationOptions orientation;
  double tau;               // eigenvectors this close to an axis are left out
  bool both_signs;          // reflect d and -d
  int depth_of_reflection;  // deeper nodes keep their ancestor's reflection; -1: no limit
  double mis_rate;          // nodes that misclassify no greater share stay leaves
  bool axis_parallel;       // whether the axis-parallel test competes with the reflections
  int clusters;             // parts of a class with orientations of their own: clusters.hpp
};

class HHCart : public Search {
 public:
  explicit HHCart(const HHCartOptions& options)
      : options_(options) {
  }  // Reflections are of numbers; categories are left to the axis-parallel competitor.
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  HHCartOptions options_;
};

}  // namespace aslant
