// W.-Y. Loh and Y.-S. Shih, Split Selection Methods for Classification Trees, Statistica Sinica 7,
// 1997.

#include "search/quest.hpp"

#include <algorithm>
#include <limits>

#include "discriminant.hpp"
#include "search/crim_coords.hpp"
#include "superclasses.hpp"
#include "variable_selection.hpp"

namespace aslant {

namespace {

Normal normal_of(const Node& node, const std::vector<double>& projection,
                 const std::vector<char>& group, char which) {
  RunningMean mean, square;
  const auto add = [&](RunningMean& running, const auto& value_of) {
    for (std::size_t i = 0; i < projection.size(); ++i)
      if (group[node.label()[i]] == which) running.add(value_of(projection[i]), node.weight_of(i));
  };
  add(mean, [](double u) { return u; });
  const double centre = mean.mean();
  add(square, [centre](double u) { return (u - centre) * (u - centre); });
  return {mean.weight(), centre, square.mean()};
}

// The threshold, moved to the middle of the gap it lies in if a row is so near that rounding could
// send it the other way.
double clear_of_rows(const std::vector<double>& projection, double threshold, double rounding) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double below = -kNone, above = kNone;
  for (double u : projection)
    if (u <= threshold + rounding)
      below = std::max(below, u);
    else
      above = std::min(above, u);
  const bool near = std::min(threshold - below, above - threshold) <= 4.0 * rounding;
  return near && above - below < kNone ? below + 0.5 * (above - below) : threshold;
}

}  // namespace

// The split at the first place on the projection that leaves both children large enough.
std::optional<Split> Quest::divide(const Node& node, const std::vector<double>& direction,
                                   const std::vector<char>& group) const {
  Split split;
  if (options_.split_point == SplitPoint::exact)
    return node.best_along(direction, split) ? std::optional<Split>(split) : std::nullopt;
  const std::vector<double> projection = node.projection(direction);
  const double rounding = Node::rounding(projection);
  for (double point : split_points(options_.split_point, normal_of(node, projection, group, 0),
                                   normal_of(node, projection, group, 1), rounding)) {
    const double threshold = clear_of_rows(projection, point, rounding);
    std::vector<double> class_weight0(node.n_classes(), 0.0);
    std::int64_t rows0 = 0;
    for (std::size_t i = 0; i < projection.size(); ++i) {
      if (!(projection[i] <= threshold)) continue;
      class_weight0[node.label()[i]] += node.weight_of(i);
      ++rows0;
    }
    if (const auto score = node.score(class_weight0, rows0))
      return hyperplane(direction, threshold, *score);
  }
  return std::nullopt;
}

std::optional<Split> Quest::find(const std::shared_ptr<const Node>& node,
                                 const SearchContext& context) const {
  const ScoredCategories categories(*node);
  const Node& scored = *categories.scored();
  const std::vector<int> columns = scored.varying_columns();
  if (columns.empty()) return std::nullopt;
  context.hyperplanes += 1;
  std::vector<double> direction;
  std::vector<char> group;
  if (options_.linear) {
    group = superclasses(scored, columns);
    direction = discriminant_direction(scored, columns, group);
  }
  if (direction.empty()) {  // one variable is asked for, or the means of all agree
    const int chosen = select_variable(*node, categories, columns, options_.alpha);
    group = superclasses(scored, {chosen});
    direction.assign(scored.n_columns(), 0.0);
    direction[chosen] = 1.0;
  }
  const std::optional<Split> split = divide(scored, direction, group);
  if (!split) return split;
  return categories.mapped_back(*split);
}

}  // namespace aslant
