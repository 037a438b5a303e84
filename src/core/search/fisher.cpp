// A. Lopez-Chau, J. Cervantes, L. Lopez-Garcia and F. Garcia Lamont, Fisher's Decision Tree, Expert
// Systems with Applications 40, 2013.

#include "search/fisher.hpp"

#include <algorithm>

#include "discriminant.hpp"
#include "search/axis_parallel.hpp"
#include "superclasses.hpp"

namespace aslant {

namespace {

// Two groups of classes each, 0 or 1 for every class.
using Grouping = std::vector<char>;

// Each class that occurs against the others, heaviest first so that names do not matter on ties.
std::vector<Grouping> one_against_rest(const Node& node) {
  std::vector<int> classes;
  for (int k = 0; k < node.n_classes(); ++k)
    if (node.class_weight()[k] > 0.0) classes.push_back(k);
  std::stable_sort(classes.begin(), classes.end(),
                   [&](int a, int b) { return node.class_weight()[a] > node.class_weight()[b]; });
  if (classes.size() == 2) classes.pop_back();  // the second would be the first once more
  std::vector<Grouping> groupings;
  for (int k : classes) {
    groupings.emplace_back(node.n_classes(), 1);
    groupings.back()[k] = 0;
  }
  return groupings;
}

// The best threshold on a single column.
std::optional<Split> best_column(const Node& node, const LineSearch& search,
                                 const std::vector<int>& columns) {
  std::optional<Split> best;
  for (int j : columns) {
    std::optional<Split> split = best_threshold(node, search, j);
    if (split && (!best || split->score > best->score)) best = std::move(split);
  }
  return best;
}

}  // namespace

std::optional<Split> Fisher::find(const std::shared_ptr<const Node>& node,
                                  const SearchContext& context) const {
  const std::vector<int> columns = node->varying_columns();
  ChildLimits limits = node->limits();
  limits.weight = std::max(limits.weight, options_.min_cases);
  const LineSearch search(node->labelled_rows(), node->criterion(), limits);
  const std::vector<Grouping> groupings =
      options_.multiclass == FisherOptions::Multiclass::superclasses
          ? std::vector<Grouping>{superclasses(*node, columns)}
          : one_against_rest(*node);
  std::optional<Split> best;
  for (const Grouping& grouping : groupings) {
    context.supervisor.check();
    context.hyperplanes += 1;
    const std::vector<double> direction = discriminant_direction(*node, columns, grouping);
    Split split;
    if (direction.empty() || !node->best_along(direction, search, split)) continue;
    if (!best || split.score > best->score) best = std::move(split);
  }
  if (best && !options_.univariate) return best;
  // Where the means agree there is no discriminant, and a test of one feature stands in.
  std::optional<Split> univariate = best_column(*node, search, columns);
  return univariate && (!best || univariate->score >= best->score) ? univariate : best;
}

}  // namespace aslant
