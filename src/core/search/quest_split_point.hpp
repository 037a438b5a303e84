// Where to cut a projection between two groups of rows, each taken as normally distributed.
#pragma once

#include <vector>

namespace aslant {

enum class SplitPoint { lda, qda, exact };

// One group of rows on the projection.
struct Normal {
  double weight = 0.0, mean = 0.0, variance = 0.0;
};

// Places to try, best first: by linear (equal variances) or quadratic discriminant analysis, then
// the middle between the means. Differences of `rounding` or less on the projection are none.
std::vector<double> split_points(SplitPoint rule, const Normal& a, const Normal& b,
                                 double rounding);

}  // namespace aslant
