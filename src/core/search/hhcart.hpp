// HHCART: axis-parallel splits of reflected rows.
#pragma once

#include "search.hpp"
#include "search/orientation.hpp"

namespace aslant {

struct HHCartOptions {
  OrientationOptions orientation;
  double tau = 0.05;             // eigenvectors this close to an axis are left out
  bool both_signs = false;       // reflect d and -d
  int depth_of_reflection = -1;  // deeper nodes keep their ancestor's reflection; -1: no limit
  double mis_rate = 0.0;         // nodes that misclassify no greater share stay leaves
  int clusters = 1;              // parts of a class with orientations of their own: clusters.hpp
};

class HHCart : public Search {
 public:
  explicit HHCart(const HHCartOptions& options) : options_(options) {}

  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;

  // Reflections are of numbers; categories are left to the axis-parallel competitor.
  bool reads_indicators() const override { return false; }

 private:
  HHCartOptions options_;
};

}  // namespace aslant
