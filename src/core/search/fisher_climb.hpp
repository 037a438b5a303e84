// Fisher's discriminants between groups of classes, improved one coefficient after the other.
#pragma once

#include "search.hpp"

namespace aslant {

struct FisherClimbOptions {
  int max_columns = 20;  // no climb where more columns vary
  int cycles = 15;       // most passes over the coefficients of one climb
  int jumps = 10;        // random directions tried after it
  double price = 0.5;    // what a climb must gain for each column, in scores times weight
};

class FisherClimb : public Search {
 public:
  explicit FisherClimb(const FisherClimbOptions& options) : options_(options) {}
  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;

 private:
  FisherClimbOptions options_;
};

}  // namespace aslant
