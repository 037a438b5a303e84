// W.-Y. Loh and Y.-S. Shih, Split Selection Methods for Classification Trees, Statistica Sinica 7,
// 1997.

#include "search/quest.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "node/moments.hpp"
#include "node/partition.hpp"
#include "search/crim_coords.hpp"
#include "search/directions/discriminant.hpp"
#include "search/directions/superclasses.hpp"
#include "search/quest_variable.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

// Moments of one group of classes on the projection.
Normal normal_of(const Node& node, const std::vector<double>& projection,
                 const std::vector<char>& group, char which) {
  const std::vector<std::int32_t>& label = node.target().label();
  const bool weighted = !node.target().weight().empty();
  std::vector<double> values(projection.size()), weight(weighted ? projection.size() : 0);
  std::size_t n = 0;
  for (std::size_t i = 0; i < projection.size(); ++i) {  // branchless: membership is unpredictable
    values[n] = projection[i];
    if (weighted) weight[n] = node.weight_of(i);
    n += group[label[i]] == which;
  }
  if (n == 0) return {};
  values.resize(n);
  weight.resize(weighted ? n : 0);
  const double total =
      weighted ? std::accumulate(weight.begin(), weight.end(), 0.0) : static_cast<double>(n);
  const double* w = weighted ? weight.data() : nullptr;
  const double mean = mean_of(values.data(), w, values.size());
  return {total, mean, mean_square_about(mean, values.data(), w, values.size())};
}

// Moves the threshold to the middle of its gap if rounding could move a row across it.
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

// The split at the first point that leaves both children large enough.
std::optional<Split> Quest::divide(const Node& node, const std::vector<double>& direction,
                                   const std::vector<char>& group) const {
  if (options_.split_point == SplitPoint::exact) return node.best_along(direction);
  const std::vector<double> projection = node.columns().projection(direction);
  const double blur = rounding(projection);
  for (double point : split_points(options_.split_point, normal_of(node, projection, group, 0),
                                   normal_of(node, projection, group, 1), blur)) {
    const double threshold = clear_of_rows(projection, point, blur);
    const Part child0 =
        part_where(node.target(), [&](std::size_t i) { return projection[i] <= threshold; });
    if (const auto score = score_of(node, child0)) return hyperplane(direction, threshold, *score);
  }
  return std::nullopt;
}

std::optional<Split> Quest::find(const NodePointer& node, const SearchContext& context) const {
  const ScoredCategories categories(node);
  const Node& scored = *categories.scored();
  const std::vector<int> columns = scored.columns().varying();
  if (columns.empty()) return std::nullopt;
  context.hyperplanes += 1;
  std::vector<double> direction;
  std::vector<char> group;
  if (options_.linear) {
    group = superclasses(scored, columns);
    direction = discriminant_direction(scored, columns, group, options_.shrinks);
  }
  if (direction.empty()) {  // one variable requested, or all means agree
    const int chosen = select_variable(*node, categories, columns, options_.alpha);
    group = superclasses(scored, {chosen});
    direction.assign(scored.n_columns(), 0.0);
    direction[chosen] = 1.0;
  }
  const std::optional<Split> split = divide(scored, direction, group);
  if (!split) return split;
  return categories.mapped_back(*split);
}

// The sample gives the direction; discriminant analysis of all rows gives the threshold.
std::optional<Split> Quest::finish_on_line(const Node& line) const {
  return divide(line, {1.0}, superclasses(line, {0}));
}

namespace {

const RegisteredSearch quest_registered("QUEST", [](Options& options) {
  return std::make_shared<Quest>(QuestOptions{
      options.flag("linear"),
      options.choice<SplitPoint>(
          "split_point",
          {{"lda", SplitPoint::lda}, {"qda", SplitPoint::qda}, {"exact", SplitPoint::exact}}),
      options.number("alpha"), options.flag("shrinks")});
});

}  // namespace

}  // namespace aslant
