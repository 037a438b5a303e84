// A. Lopez-Chau, J. Cervantes, L. Lopez-Garcia and F. Garcia Lamont, Fisher's Decision Tree, Expert
// Systems with Applications 40, 2013.

#include "search/fisher.hpp"

#include <algorithm>

#include "discriminant.hpp"
#include "moments.hpp"
#include "registry.hpp"
#include "search/axis_parallel.hpp"
#include "superclasses.hpp"

namespace aslant {

namespace {

// Two groups of classes each, 0 or 1 for every class.
using Grouping = std::vector<char>;

// Each class that occurs against the others.
std::vector<Grouping> one_against_rest(const NodeTarget& target) {
  std::vector<int> classes = classes_by_weight(target);
  if (classes.size() == 2) classes.pop_back();  // the second would be the first once more
  std::vector<Grouping> groupings;
  for (int k : classes) {
    groupings.emplace_back(target.n_classes(), 1);
    groupings.back()[k] = 0;
  }
  return groupings;
}

// The best threshold on a single column.
std::optional<Split> best_column(const Node& node, const LineSearch& search,
                                 const std::vector<int>& columns) {
  std::optional<Split> best;
  for (int j : columns) keep_better(best, best_threshold(node, search, j, node.column(j)));
  return best;
}

}  // namespace

ChildLimits Fisher::limits_at(const Node& node) const {
  ChildLimits limits = node.limits();
  limits.weight = std::max(limits.weight, options_.min_cases);
  return limits;
}

std::optional<Split> Fisher::find(const NodePointer& node, const SearchContext& context) const {
  const std::vector<int> columns = node->columns().varying();
  const LineSearch search = node->line_search(limits_at(*node));
  const std::vector<Grouping> groupings =
      options_.multiclass == FisherOptions::Multiclass::superclasses
          ? std::vector<Grouping>{superclasses(*node, columns)}
          : one_against_rest(node->target());
  std::optional<Split> best;
  for (const Grouping& grouping : groupings) {
    context.supervisor.check();
    context.hyperplanes += 1;
    const std::vector<double> direction =
        discriminant_direction(*node, columns, grouping, options_.shrinks);
    if (!direction.empty()) keep_better(best, node->best_along(direction, search));
  }
  if (best && !options_.univariate) return best;
  // Where the means agree there is no discriminant, and a test of one feature stands in.
  std::optional<Split> univariate = best_column(*node, search, columns);
  return univariate && (!best || univariate->score >= best->score) ? univariate : best;
}

namespace {

const RegisteredSearch fisher_registered("Fisher", [](Options& options) {
  using Multiclass = FisherOptions::Multiclass;
  return std::make_shared<Fisher>(FisherOptions{
      options.choice<Multiclass>("multiclass", {{"superclasses", Multiclass::superclasses},
                                                {"one_vs_rest", Multiclass::one_vs_rest}}),
      options.flag("univariate"), options.number("min_cases"), options.flag("shrinks")});
});

}  // namespace

}  // namespace aslant
