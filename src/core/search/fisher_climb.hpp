// Fisher's discriminants between groups of classes, improved one coefficient after the other.
#pragma once

#include "search.hpp"
#include "search/class_groupings.hpp"

namespace aslant {

struct FisherClimbOptions {
  int max_columns;  // no climb where more columns vary
  int cycles;       // most passes over the coefficients of one climb
  int jumps;        // random directions tried after it
  double price;     // what a climb must gain for each column, in scores times weight
};

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
