// G. E. Hinton and M. Revow, Using Pairs of Data-Points to Define Splits for Decision Trees,
// Advances in Neural Information Processing Systems 8, 1996, section 2.

#include "search/pole_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "moments.hpp"

namespace aslant {

namespace {

constexpr std::size_t kFinalists = 8;      // candidates of a sample that all rows judge
constexpr std::size_t kJudgesPerPole = 2;  // in a sample

double unit_of(const Node& node, int column, PolePairOptions::Scale scale) {
  switch (scale) {
    case PolePairOptions::Scale::training:
      return node.training_deviation(column);
    case PolePairOptions::Scale::node:
      return spread(node, column).deviation;
    default:
      return 1.0;
  }
}

// Columns that vary by less than this share of their values would, by rounding alone, blur the
// distances in all others.
constexpr double kLeastVariation = 1e-10;

Space space_of(const Node& node, PolePairOptions::Scale scale) {
  Space space;
  double largest = 0.0;
  for (int j : node.varying_columns()) {
    const double* x = node.column(j);
    const auto [low, high] = std::minmax_element(x, x + node.n_rows());
    const double size = std::max(std::abs(*low), std::abs(*high)), range = *high - *low;
    const double unit = unit_of(node, j, scale);
    if (!(unit > 0.0) || range < kLeastVariation * size) continue;
    space.columns.push_back(j);
    space.unit.push_back(unit);
    space.origin.push_back(*low + range / 2.0);
    largest += size / unit * (range / unit);
  }
  space.rounding = Node::rounding(largest);
  return space;
}

// Work grows with the cube of the poles; this many make it grow with the rows.
std::size_t poles_of_sample(std::size_t base, std::size_t n_rows) {
  const double times = std::cbrt(static_cast<double>(n_rows) / static_cast<double>(base));
  return std::min(PolePairOptions::kMostPoles,
                  static_cast<std::size_t>(static_cast<double>(base) * times));
}

// The direction from row a to row b, in units of the node's columns, its largest coefficient 1.
struct Direction {
  std::vector<double> coef;
  double largest = 0.0;  // what it was divided by

  Direction(const Node& node, const Space& space, std::uint32_t a, std::uint32_t b)
      : coef(node.n_columns(), 0.0) {
    for (std::size_t j = 0; j < space.columns.size(); ++j) {
      const double* x = node.column(space.columns[j]);
      coef[space.columns[j]] = (x[b] - x[a]) / space.unit[j] / space.unit[j];
      largest = std::max(largest, std::abs(coef[space.columns[j]]));
    }
    for (double& value : coef) value /= largest;
  }
};

// The bisector of two rows, judged by all rows as prediction will see them.
std::optional<Split> bisector(const Node& node, const Space& space, std::uint32_t a,
                              std::uint32_t b) {
  const Direction direction(node, space, a, b);
  std::vector<double> projection(node.n_rows(), 0.0);
  double threshold = 0.0;
  for (int j : space.columns) {  // in the order in which prediction sums
    const double coef = direction.coef[j];
    if (coef == 0.0) continue;
    const double* x = node.column(j);
    threshold += coef * (x[a] + (x[b] - x[a]) / 2.0);
    for (std::size_t i = 0; i < projection.size(); ++i) projection[i] += coef * x[i];
  }
  // Rows on the bisector belong to a, though rounding may have put them a little beyond.
  const double limit = threshold + space.rounding / direction.largest;
  for (double value : projection)
    if (value <= limit) threshold = std::max(threshold, value);
  std::vector<double> class_weight(node.n_classes(), 0.0);
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < projection.size(); ++i)
    if (projection[i] <= threshold) {
      class_weight[node.label()[i]] += node.weight_of(i);
      ++rows;
    }
  if (rows == 0 || rows == static_cast<std::int64_t>(node.n_rows())) return std::nullopt;
  const std::optional<double> score = node.score(class_weight, rows);
  if (!score) return std::nullopt;
  return hyperplane(direction.coef, threshold, *score);
}

std::optional<Split> best_on_line(const Node& node, const Space& space, std::uint32_t a,
                                  std::uint32_t b) {
  Split split;
  if (!node.best_along(Direction(node, space, a, b).coef, split)) return std::nullopt;
  return split;
}

}  // namespace

std::optional<Split> PolePair::find(const std::shared_ptr<const Node>& node,
                                    const SearchContext& context) const {
  const Space space = space_of(*node, options_.scale);
  if (space.columns.empty()) return std::nullopt;
  if (node->n_rows() > options_.poles &&
      node->problem().spread().distinct_rows > options_.exact_rows) {
    const RowSampler sampler(*node, space, subkey(context.key, 0));
    if (sampler.n_distinct() > options_.poles) return among_some(*node, space, sampler, context);
  }
  return among_all(*node, space, context);
}

std::optional<Split> PolePair::among_all(const Node& node, const Space& space,
                                         const SearchContext& context) const {
  std::vector<std::uint32_t> rows(node.n_rows());
  std::iota(rows.begin(), rows.end(), 0u);
  // A line search counts judges where it should count rows.
  const bool merge = !options_.all_thresholds || node.limits().rows <= 1;
  const Contest contest{node,
                        space,
                        distinct_poles(node, space, rows),
                        judges_among(node, space, rows, merge),
                        node.limits(),
                        options_.same_class,
                        context};
  return best_split(contest,
                    options_.all_thresholds ? best_lines(contest, 1) : best_bisectors(contest, 1));
}

std::optional<Split> PolePair::among_some(const Node& node, const Space& space,
                                          const RowSampler& sampler,
                                          const SearchContext& context) const {
  const std::size_t n_poles = poles_of_sample(options_.poles, sampler.n_distinct());
  const std::size_t n_judges = std::min(kJudgesPerPole * n_poles, sampler.n_distinct());
  const Contest contest{node,
                        space,
                        distinct_poles(node, space, sampler.sample(n_poles)),
                        judges_among(node, space, sampler.sample(n_judges), true),
                        ChildLimits{},  // a sample cannot tell how many rows a child will hold
                        options_.same_class,
                        context};
  return best_split(contest, best_bisectors(contest, kFinalists));
}

// The best of the shortlist, judged by all rows.
std::optional<Split> PolePair::best_split(const Contest& contest,
                                          const Shortlist& shortlist) const {
  std::optional<Split> best;
  for (const Contestant& candidate : shortlist.candidates()) {
    const std::uint32_t a = contest.poles[candidate.a].row, b = contest.poles[candidate.b].row;
    std::optional<Split> split = options_.all_thresholds
                                     ? best_on_line(contest.node, contest.space, a, b)
                                     : bisector(contest.node, contest.space, a, b);
    if (split && split->finite() && (!best || split->score > best->score + kEqualScores))
      best = std::move(split);
  }
  return best;
}

}  // namespace aslant
