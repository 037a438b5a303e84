// Split points between two normally distributed groups on a projection.
#pragma once

#include <vector>

namespace aslant {

enum class SplitPoint { lda, qda, exact };

struct Normal {
  double weight = 0.0, mean = 0.0, variance = 0.0;
};

// Candidate points, best first: by linear (equal variances) or quadratic discriminant analysis,
// then the midpoint of the means. Differences up to `rounding` count as zero.
std::vector<double> split_points(SplitPoint rule, const Normal& a, const Normal& b,
                                 double rounding);

}  // namespace aslant
