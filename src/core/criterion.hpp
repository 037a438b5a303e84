// The splitting criteria.
//
// A criterion holds the statistics of child 0 (target.hpp) while rows move in and out of it, and
// scores the partition at any moment: higher is better, 0 means "no better than not splitting". The
// sweep of the line search is compiled once per criterion, so nothing virtual runs inside it.
//
// Every criterion is made from the statistics of a node, with an empty child 0, and has the same
// members: set() says what child 0 holds, weight0() is its weight, score() the value of the present
// partition and beats(score) whether it is greater, without a division if beats_is_cheap(). move()
// puts a row into child 0 (negative weight: takes it out): a class and a weight, or a weight and
// the row's numbers.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "class_criteria.hpp"
#include "criterion_kind.hpp"
#include "number_criteria.hpp"

namespace aslant {

// Whether the present statistics, as a corner of a box, allow more than `wanted` inside the box.
template <class Criterion>
bool corner_beats(const Criterion& criterion, double wanted) {
  return criterion.one_is_empty() ? wanted < 0.0 : criterion.beats(wanted);
}
// An empty child with a sum has no finite score: the box may hold anything.
inline bool corner_beats(const SquaredErrorOfOne& criterion, double wanted) {
  return criterion.one_is_empty() || criterion.beats(wanted);
}
inline bool corner_beats(const Poisson& criterion, double wanted) {
  return criterion.one_is_empty() || criterion.limit() > wanted;
}

// Calls visit(criterion) with the criterion of this kind, child 0 being empty.
template <class Visitor>
auto with_criterion(CriterionKind kind, const double* total, int width,
                    std::vector<double>& scratch, Visitor&& visit) {
  switch (kind) {
    case CriterionKind::gini:
      return visit(Gini(total, width, scratch));
    case CriterionKind::entropy:
      return visit(Entropy(total, width, scratch));
    case CriterionKind::gain_ratio:
      return visit(GainRatio(total, width, scratch));
    case CriterionKind::twoing:
      return visit(Twoing(total, width, scratch));
    case CriterionKind::max_minority:
      return visit(MaxMinority(total, width, scratch));
    case CriterionKind::sum_minority:
      return visit(SumMinority(total, width, scratch));
    case CriterionKind::sum_of_variances:
      return visit(SumOfVariances(total, width, scratch));
    case CriterionKind::squared_error:
      return width == 2 ? visit(SquaredErrorOfOne(total, width, scratch))
                        : visit(SquaredError(total, width, scratch));
    case CriterionKind::own:
      return visit(Own(total, width, scratch, kind.criterion()));
    default:
      return visit(Poisson(total, width, scratch));
  }
}

// Score of a partition given by the statistics of child 0.
inline double partition_score(CriterionKind kind, const double* child0, const double* total,
                              int width) {
  std::vector<double> scratch;
  return with_criterion(kind, total, width, scratch, [&](auto criterion) {
    criterion.set(child0);
    return criterion.score();
  });
}

// Impurity of one node of classes. Twoing has none of its own; Gini's is the one it decreases for
// two classes. Nor has a criterion of two children that somebody else wrote.
inline double impurity(CriterionKind kind, const double* total, int n_classes) {
  const double n = std::accumulate(total, total + n_classes, 0.0);
  if (!(n > 0.0)) return 0.0;
  double sum = 0.0;
  switch (kind) {
    case CriterionKind::gini:
    case CriterionKind::twoing:
    case CriterionKind::own:
      for (int k = 0; k < n_classes; ++k) sum += (total[k] / n) * (total[k] / n);
      return std::max(0.0, 1.0 - sum);
    case CriterionKind::entropy:
    case CriterionKind::gain_ratio:
      for (int k = 0; k < n_classes; ++k) sum += z_log_z(total[k]);
      return std::max(0.0, (z_log_z(n) - sum) / n);
    case CriterionKind::max_minority:
    case CriterionKind::sum_minority:
      return std::max(0.0, 1.0 - *std::max_element(total, total + n_classes) / n);
    default: {
      std::vector<double> sorted(total, total + n_classes);
      std::sort(sorted.rbegin(), sorted.rend());
      double mean = 0.0, squares = 0.0;
      for (int i = 0; i < n_classes; ++i) mean += sorted[i] * (i + 1.0) / n;
      for (int i = 0; i < n_classes; ++i)
        squares += sorted[i] * (i + 1.0 - mean) * (i + 1.0 - mean) / n;
      return squares;
    }
  }
}

// Score of a partition into any number of children. For two it is partition_score, except that
// twoing and a criterion of somebody's own, which know two sides only, give way to the decrease of
// the node's impurity.
inline double multiway_score(CriterionKind kind, const std::vector<std::vector<double>>& children,
                             const std::vector<double>& total) {
  const int n_classes = static_cast<int>(total.size());
  const double n = std::accumulate(total.begin(), total.end(), 0.0);
  std::vector<double> scratch, sizes;
  double after = 0.0, most = 0.0;
  SumOfVariances ranked(total.data(), n_classes, scratch);
  for (const std::vector<double>& child : children) {
    const double size = std::accumulate(child.begin(), child.end(), 0.0);
    if (!(size > 0.0)) continue;
    const double share = kind == CriterionKind::sum_of_variances
                             ? ranked.variance(child.data())
                             : impurity(kind, child.data(), n_classes);
    sizes.push_back(size);
    after += size / n * share;
    most = std::max(most, size / n * share);
  }
  if (kind == CriterionKind::max_minority) after = most;
  const double gain = impurity(kind, total.data(), n_classes) - after;
  if (kind != CriterionKind::gain_ratio) return gain;
  const double branches =
      impurity(CriterionKind::entropy, sizes.data(), static_cast<int>(sizes.size()));
  return branches > 0.0 ? gain / branches : 0.0;
}

}  // namespace aslant
