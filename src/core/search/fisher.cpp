// A. Lopez-Chau, J. Cervantes, L. Lopez-Garcia and F. Garcia Lamont, Fisher's Decision Tree, Expert
// Systems with Applications 40, 2013.

#include "search/fisher.hpp"

#include <algorithm>

#include "node/moments.hpp"
#include "search/axis_parallel.hpp"
#include "search/directions/class_groupings.hpp"
#include "search/directions/discriminant.hpp"
#include "search/directions/superclasses.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

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
  // Equal group means give no discriminant; a univariate test replaces it.
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
