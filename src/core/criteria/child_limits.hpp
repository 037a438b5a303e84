// The only place that decides whether a child may exist.
#pragma once

#include <cstdint>

namespace aslant {

// Minimum content of a child, and the order of the children.
struct ChildLimits {
  std::int64_t rows = 1;
  double weight = 0.0;
  // 1: the mean target of child 1 is not below that of child 0; -1: not above; 0: any order. The
  // target of two classes is 1 for the second.
  int order = 0;

  bool allow(std::int64_t child_rows, double child_weight) const {
    return child_rows >= rows && child_weight >= weight;
  }
  // Checks both children, given one. A child whose weight is below the rounding error of the node's
  // weight has no score: criteria divide by it.
  bool allow_both(std::int64_t rows0, double weight0, std::int64_t all_rows,
                  double all_weight) const {
    const double least = kLeastShare * all_weight, weight1 = all_weight - weight0;
    return weight0 > least && weight1 > least && allow(rows0, weight0) &&
           allow(all_rows - rows0, weight1);
  }

 private:
  static constexpr double kLeastShare = 0x1p-46;  // a sum of a million weights errs by less
};

}  // namespace aslant
