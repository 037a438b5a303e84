// G. E. Hinton and M. Revow, Using Pairs of Data-Points to Define Splits for Decision Trees,
// Advances in Neural Information Processing Systems 8, 1996, section 2.

#include "search/pole_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "node/moments.hpp"
#include "node/partition.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

constexpr std::size_t kFinalists = 8;      // candidates of a sample that are evaluated on all rows
constexpr std::size_t kVotersPerPole = 2;  // voting rows in a sample
constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // of the table of voting rows and poles
constexpr std::size_t kSmallNode = 8192;                  // whose table cannot be larger

double unit_of(const Node& node, int column, PolePairOptions::Scale scale) {
  switch (scale) {
    case PolePairOptions::Scale::training:
      return training_deviation(node, column);
    case PolePairOptions::Scale::node:
      return spread(node, column).deviation;
    default:
      return 1.0;
  }
}

// Columns of less relative variation would blur all distances by rounding.
constexpr double kLeastVariation = 1e-10;

Space space_of(const Node& node, PolePairOptions::Scale scale) {
  Space space;
  double largest = 0.0;
  for (int j : node.columns().varying()) {
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
  space.rounding = aslant::rounding(largest);
  return space;
}

// Work is cubic in the poles; this number makes it linear in the rows.
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

// The bisector of two rows, evaluated on all rows as prediction sums them.
std::optional<Split> bisector(const Node& node, const Space& space, std::uint32_t a,
                              std::uint32_t b) {
  const Direction direction(node, space, a, b);
  std::vector<double> projection(node.n_rows(), 0.0);
  double threshold = 0.0;
  for (int j : space.columns) {  // in prediction's summation order
    const double coef = direction.coef[j];
    if (coef == 0.0) continue;
    const double* x = node.column(j);
    threshold += coef * (x[a] + (x[b] - x[a]) / 2.0);
    for (std::size_t i = 0; i < projection.size(); ++i) projection[i] += coef * x[i];
  }
  // Rows on the bisector belong to a, despite rounding.
  const double limit = threshold + space.rounding / direction.largest;
  for (double value : projection)
    if (value <= limit) threshold = std::max(threshold, value);
  const std::optional<double> score = score_of(
      node, part_where(node.target(), [&](std::size_t i) { return projection[i] <= threshold; }));
  if (!score) return std::nullopt;
  return hyperplane(direction.coef, threshold, *score);
}

std::optional<Split> best_on_line(const Node& node, const Space& space, std::uint32_t a,
                                  std::uint32_t b) {
  return node.best_along(Direction(node, space, a, b).coef);
}

}  // namespace

std::optional<Split> PolePair::find(const NodePointer& node, const SearchContext& context) const {
  const Space space = space_of(*node, options_.scale);
  if (space.columns.empty()) return std::nullopt;
  const bool exact = node->problem().spread().distinct_rows <= options_.exact_rows;
  if (node->n_rows() > options_.poles && (!exact || node->n_rows() > kSmallNode)) {
    const RowSampler sampler(*node, space, subkey(context.key, 0));
    if (sampler.n_distinct() > options_.poles &&
        !(exact && fits_in_memory(*node, sampler.n_distinct())))
      return among_some(*node, space, sampler, context);
  }
  return among_all(*node, space, context);
}

// Size of the table of voting rows and poles. Copies vote as one unless each must be counted.
bool PolePair::fits_in_memory(const Node& node, std::size_t n_distinct) const {
  const std::size_t copies = options_.all_thresholds && node.limits().rows > 1
                                 ? node.n_rows()
                                 : n_distinct * node.target().n_classes();
  const std::size_t voters = std::min(node.n_rows(), copies);
  const std::size_t bytes = options_.all_thresholds ? sizeof(double) : sizeof(std::int16_t);
  return voters <= kMostBytes / bytes / n_distinct;
}

std::optional<Split> PolePair::among_all(const Node& node, const Space& space,
                                         const SearchContext& context) const {
  const std::vector<std::uint32_t> rows = all_rows(node);
  // A line search counts voting rows, so under a row limit copies stay apart.
  const bool merge = !options_.all_thresholds || node.limits().rows <= 1;
  const Contest contest{node,
                        space,
                        distinct_poles(node, space, rows),
                        voters_among(node, space, rows, merge),
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
  const std::size_t n_voters = std::min(kVotersPerPole * n_poles, sampler.n_distinct());
  const Contest contest{node,
                        space,
                        distinct_poles(node, space, sampler.sample(n_poles)),
                        voters_among(node, space, sampler.sample(n_voters), true),
                        ChildLimits{},  // a sample does not determine the rows of a child
                        options_.same_class,
                        context};
  return best_split(contest, best_bisectors(contest, kFinalists));
}

// The best of the shortlist, evaluated on all rows.
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

namespace {

const RegisteredSearch pole_pair_registered("PolePair", [](Options& options) {
  using Scale = PolePairOptions::Scale;
  const PolePairOptions chosen{
      options.flag("same_class"), options.flag("all_thresholds"),
      options.choice<Scale>(
          "scale", {{"training", Scale::training}, {"raw", Scale::raw}, {"node", Scale::node}}),
      static_cast<std::size_t>(options.whole("exact_rows")),
      static_cast<std::size_t>(options.whole("poles", 2))};
  if (chosen.exact_rows > PolePairOptions::kMostPoles || chosen.poles > PolePairOptions::kMostPoles)
    throw std::invalid_argument("exact_rows and poles must not exceed 16384");
  return std::make_shared<PolePair>(chosen);
});

}  // namespace

}  // namespace aslant
