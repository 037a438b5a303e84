// HHCART: axis-parallel splits of reflected rows.
#pragma once

#include "search/directions/orientation.hpp"
#include "search/search.hpp"

namespace aslant {

struct HHCartOptions {
  OrientationOptions orientation;
  double tau;               // eigenvectors this close to an axis are skipped
  bool both_signs;          // reflect d and -d
  int depth_of_reflection;  // deeper nodes keep their ancestor's reflection; -1: no limit
  double mis_rate;          // nodes with at most this error rate stay leaves
  bool axis_parallel;       // the axis-parallel split competes with the reflections
  int clusters;             // clusters per class with their own orientations: clusters.hpp
};

// Traits: classes only; no sparse tables; does not decide; deterministic.
// Reads: numeric columns for reflections, categories for axis-parallel splits; depth, legacy.
// Writes: hyperplanes or level subsets; score = gain; reflection as legacy at its depth limit.
class HHCart : public Search {
 public:
  explicit HHCart(const HHCartOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  HHCartOptions options_;
};

}  // namespace aslant
