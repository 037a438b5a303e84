// L. Breiman, Random Forests, 2001: features drawn at every node, and Forest-RC's random
// combinations; T. M. Tomita et al., Sparse Projection Oblique Randomer Forests, 2020: the same
// with coefficients +1 and -1. P. Geurts, D. Ernst and L. Wehenkel, Extremely Randomized Trees,
// 2006: thresholds at random.

#include "search/forest_split.hpp"

#include <cmath>

#include "search/directions/ridge_direction.hpp"
#include "support/registry.hpp"
#include "support/workspace.hpp"

namespace aslant {

namespace {

// Reused across nodes.
struct ProjectionBuffers {
  std::vector<double> projection, coefs, column;
};

constexpr std::size_t kLeastRows = 4;  // fewer rows do not determine a direction

// coefs . x of every row.
void project(const DrawnColumns& columns, const std::vector<double>& coefs, std::size_t n_rows,
             std::vector<double>& projection) {
  projection.assign(n_rows, 0.0);
  for (std::size_t c = 0; c < coefs.size(); ++c)
    columns.add_multiple(static_cast<int>(c), coefs[c], projection);
}

double deviation(const SweepRows& rows, const double* x) {
  double weight = 0.0, sum = 0.0, squares = 0.0;
  for (std::size_t i = 0; i < rows.n; ++i) {
    weight += rows.weight_of(i);
    sum += rows.weight_of(i) * x[i];
  }
  for (std::size_t i = 0; i < rows.n; ++i)
    squares += rows.weight_of(i) * (x[i] - sum / weight) * (x[i] - sum / weight);
  return std::sqrt(squares / weight);
}

// Whether the target rises along a projection; of two classes, the share of the second.
bool rises(const SweepRows& rows, const std::vector<double>& projection) {
  double weight = 0.0, sum = 0.0, target = 0.0, product = 0.0;
  for (std::size_t i = 0; i < rows.n; ++i) {
    const double w = rows.weight_of(i);
    const double y = rows.label ? static_cast<double>(rows.label[i]) : rows.target[i];
    weight += w;
    sum += w * projection[i];
    target += w * y;
    product += w * y * projection[i];
  }
  return product * weight >= sum * target;
}

// Removes the coefficients against the constraints of their columns, and returns the order that the
// children of a test of the others must have.
int keep_lawful(const std::vector<int>& sign, const NodeView& node, const DrawnColumns& columns,
                std::vector<double>& coefs, std::vector<double>& projection) {
  if (sign.empty()) return 0;
  const int upwards = rises(node.rows(), projection) ? 1 : -1;
  bool removed = false, constrained = false;
  for (std::size_t c = 0; c < coefs.size(); ++c) {
    const double along = upwards * sign[columns.column(static_cast<int>(c))] * coefs[c];
    removed = removed || along < 0.0;
    constrained = constrained || along > 0.0;
    if (along < 0.0) coefs[c] = 0.0;
  }
  if (removed) project(columns, coefs, node.n_rows(), projection);
  return constrained ? upwards : 0;
}

bool is_finite(const std::vector<double>& values) {
  for (double value : values)
    if (!std::isfinite(value)) return false;
  return true;
}

}  // namespace

double FeatureShare::of(int n_features) const {
  return wanted > 0.0 ? wanted : std::sqrt(static_cast<double>(n_features));
}

bool LineContest::enter(const double* values, double tolerance, int order) {
  const LineSearch search = search_.ordered(order);
  return keep_better(random_ ? search.random_threshold(values, tolerance, rng_)
                             : search.threshold(values, tolerance, best_.score));
}

bool LineContest::enter(const DrawnColumns& columns, int i, int order) {
  if (!columns.are_sparse()) return enter(columns.values(i), 0.0, order);
  if (expands_) {
    std::vector<double>& column = Workspace::get<ProjectionBuffers>().column;
    column.resize(n_rows_);
    columns.copy(i, 1, column.data());
    return enter(column.data(), 0.0, order);
  }
  const SparseColumn& x = columns.nonzero(i);
  const LineSearch search = search_.ordered(order);
  return keep_better(random_ ? search.random_threshold(x, rng_) : search.threshold(x, best_.score));
}

bool LineContest::keep_better(const std::optional<LineOptimum>& line) {
  if (!line || (found_ && !(line->score > best_.score))) return false;
  best_ = *line;
  return found_ = true;
}

bool ForestSplit::find_in(const NodeView& node, const SearchContext& context, Split& split) const {
  std::vector<double>& projection = Workspace::get<ProjectionBuffers>().projection;
  Rng rng(context.key);
  const double share = settings_.features.of(node.n_features());
  const int singles = std::max(1, static_cast<int>(share));
  const bool oblique = node.n_rows() >= kLeastRows && rng.uniform() < settings_.oblique_share;
  const int in_direction = oblique ? static_cast<int>(std::ceil(2.0 * share)) : 0;
  RandomOrder order(node.n_features(), rng);
  DrawnColumns columns(node, rng);
  columns.draw(std::max(singles, in_direction), order);

  LineContest contest(node, settings_.random_thresholds, rng);
  int best = -1;
  for (int i = 0; i < std::min(singles, columns.size()) && !contest.settled(); ++i)
    if (contest.enter(columns, i, settings_.sign.empty() ? 0 : settings_.sign[columns.column(i)]))
      best = i;
  context.hyperplanes += 1;
  split.clear();
  if (oblique && columns.size() > 1 && !contest.settled()) {
    context.hyperplanes += 1;
    const int width = std::min(in_direction, columns.size());
    std::vector<double>& coefs = ridge_direction(node, columns, width, settings_.ridge, rng);
    project(columns, coefs, node.n_rows(), projection);
    const int children = keep_lawful(settings_.sign, node, columns, coefs, projection);
    if (is_finite(projection) && contest.enter(projection.data(), rounding(projection), children)) {
      for (int c = 0; c < width; ++c) columns.add_term(c, coefs[c], split);
      split.end_vector(contest.threshold());
      split.score = contest.score();
      return true;
    }
  }
  if (!contest.found()) return false;
  columns.make_test_of_one(best, contest.threshold(), split);
  split.score = contest.score();
  return true;
}

int RandomProjection::terms(int n_features, Rng& rng) const {
  const double wanted = settings_.density > 0.0 ? settings_.density * n_features : 3.0;
  const double whole = std::floor(wanted);
  return std::max(1, static_cast<int>(whole) + (rng.uniform() < wanted - whole ? 1 : 0));
}

bool RandomProjection::find_in(const NodeView& node, const SearchContext& context,
                               Split& split) const {
  auto& [projection, coefs, expanded] = Workspace::get<ProjectionBuffers>();
  expanded.resize(node.n_rows());
  Rng rng(context.key);
  const int tries = static_cast<int>(std::ceil(2.0 * settings_.features.of(node.n_features())));
  LineContest contest(node, settings_.random_thresholds, rng);
  for (int t = 0; t < tries && !contest.settled(); ++t) {
    RandomOrder order(node.n_features(), rng);
    DrawnColumns columns(node, rng);
    columns.draw(terms(node.n_features(), rng), order);
    if (columns.size() == 0) return false;  // every feature is constant
    coefs.clear();
    for (int c = 0; c < columns.size(); ++c) {
      const double size = settings_.binary ? 1.0 : rng.uniform();
      if (columns.are_sparse()) columns.copy(c, 1, expanded.data());
      const double* x = columns.are_sparse() ? expanded.data() : columns.values(c);
      coefs.push_back((rng.below(2) ? size : -size) / deviation(node.rows(), x));
    }
    project(columns, coefs, node.n_rows(), projection);
    const int children = keep_lawful(settings_.sign, node, columns, coefs, projection);
    context.hyperplanes += 1;
    if (!is_finite(projection) || !contest.enter(projection.data(), rounding(projection), children))
      continue;
    split.clear();
    for (int c = 0; c < columns.size(); ++c) columns.add_term(c, coefs[c], split);
    split.end_vector(contest.threshold());
    split.score = contest.score();
  }
  return contest.found();
}

namespace {

const RegisteredSearch forest_split("ForestSplit", [](Options& options) {
  ForestSplit::Settings settings;
  settings.features.wanted = options.number("max_features");
  settings.oblique_share = options.number("oblique_share");
  settings.ridge = options.number("ridge");
  settings.random_thresholds = options.flag("random_thresholds");
  return std::make_shared<ForestSplit>(settings);
});

const RegisteredSearch random_projection("RandomProjection", [](Options& options) {
  RandomProjection::Settings settings;
  settings.features.wanted = options.number("max_features");
  settings.density = options.number("density");
  settings.binary = options.choice<bool>("distribution", {{"binary", true}, {"uniform", false}});
  settings.random_thresholds = options.flag("random_thresholds");
  return std::make_shared<RandomProjection>(settings);
});

}  // namespace

}  // namespace aslant
