#include "growth/stopping_rules.hpp"

namespace aslant {

bool StoppingRules::allow_split(const ChildLimits& limits, int depth, std::int64_t rows,
                                double weight) const {
  return depth < max_depth && rows >= min_samples_split && limits.allow(rows / 2, weight / 2.0);
}

bool StoppingRules::accept(CriterionKind criterion, double score, double share,
                           bool decides) const {
  if (decides && min_impurity_decrease == 0.0) return true;
  return score >= least_score(criterion) && share * score + 1e-15 >= min_impurity_decrease;
}

}  // namespace aslant
