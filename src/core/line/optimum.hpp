// The result of a search along a line.
#pragma once

#include <limits>

namespace aslant {

constexpr double kAnyScore = -std::numeric_limits<double>::infinity();

// A position on a line and the score of the partition there.
struct LineOptimum {
  double alpha;
  double score;
};

// The midpoint, or the lower end between adjacent doubles: "<= alpha" still separates.
inline double between(double low, double high) {
  const double middle = low + (high - low) / 2.0;
  return middle < high ? middle : low;
}

}  // namespace aslant
