// Fisher's discriminants between groups of classes, refined by coordinate ascent.
#pragma once

#include "search/directions/class_groupings.hpp"
#include "search/search.hpp"

namespace aslant {

struct FisherClimbOptions {
  int max_columns;  // no climb if more columns vary
  int cycles;       // maximum passes over the coefficients per climb
  int jumps;        // random directions tried afterwards
  double penalty;   // gain in score times weight that a climb needs per column
};

// Traits: classes only; no sparse tables; does not decide; random jumps.
// Reads: varying columns, class means and the total covariance, class weights.
// Writes: hyperplanes or the axis-parallel split; score = gain; no legacy.
class FisherClimb : public Search {
 public:
  explicit FisherClimb(const FisherClimbOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  std::optional<Split> start(const Node& node, const ClassGroupings& groupings,
                             const std::optional<Split>& axis, const SearchContext& context) const;
  FisherClimbOptions options_;
};

}  // namespace aslant
