// D. C. Wickramarachchi, B. L. Robertson, M. Reale, C. J. Price and J. Brown, HHCART: An oblique
// decision tree, Computational Statistics and Data Analysis 96, 2016.
//
// For an eigenvector d of a class covariance, H = I - 2uu' with u = (e_1 - d) / |e_1 - d| (equation
// 2) reflects d onto the first axis. Column j of XH is x_j - 2 u_j z with z = Xu, computed on
// demand. A threshold on it is the test (He_j) . x <= t of the original rows.

#include "search/hhcart.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "line/breakpoints.hpp"
#include "node/moments.hpp"
#include "search/axis_parallel.hpp"
#include "search/directions/clusters.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

using Vector = std::vector<double>;
using Rows = std::vector<std::uint32_t>;

// H = I - 2uu' over the node's columns.
struct Reflection {
  Vector u;       // per column of the node; zero: unchanged
  bool mirrored;  // reflects -d, whose first column repeats that of d
};

// Columns to reflect: varying numeric ones.
std::vector<int> reflected_columns(const Node& node) {
  std::vector<int> columns;
  for (int j : node.columns().numeric()) {
    const double* x = node.column(j);
    if (std::any_of(x, x + node.n_rows(), [x](double value) { return value != x[0]; }))
      columns.push_back(j);
  }
  return columns;
}

// The rows of each class, by weight, then by means: independent of class numbering.
std::vector<Rows> ordered_classes(const Node& node, const std::vector<int>& columns) {
  std::vector<Rows> classes = rows_by_class(node);
  const auto has_no_rows = [](const Rows& rows) { return rows.empty(); };
  classes.erase(std::remove_if(classes.begin(), classes.end(), has_no_rows), classes.end());
  const auto weight = [&](const Rows& rows) {
    return node.target().class_weight()[node.target().label()[rows[0]]];
  };
  std::stable_sort(classes.begin(), classes.end(), [&](const Rows& a, const Rows& b) {
    if (weight(a) != weight(b)) return weight(a) > weight(b);
    return means_of(node, columns, a) < means_of(node, columns, b);
  });
  return classes;
}

// Whether |e_k - d| or |e_k + d| is at most tau for an axis e_k: then 2 - 2|d_k| <= tau^2.
bool parallel_to_an_axis(const Vector& d, double tau) {
  return std::any_of(d.begin(), d.end(),
                     [tau](double value) { return 2.0 - 2.0 * std::abs(value) <= tau * tau; });
}

// Equation 2 for sign * d. 1 - d_1 is computed from the other components, without cancellation.
std::optional<Reflection> reflection(const Vector& d, double sign, const std::vector<int>& columns,
                                     int n_columns) {
  double others = 0.0;
  for (std::size_t k = 1; k < d.size(); ++k) others += d[k] * d[k];
  const double first = sign * d[0];
  const double gap = first > 0.0 ? others / (1.0 + first) : 1.0 - first;
  const double length = std::sqrt(gap * gap + others);
  if (!(length > 0.0)) return std::nullopt;  // d is the first axis
  Reflection result{Vector(n_columns, 0.0), sign < 0.0};
  result.u[columns[0]] = gap / length;
  for (std::size_t k = 1; k < d.size(); ++k) result.u[columns[k]] = -sign * d[k] / length;
  return result;
}

// He_j, the normal of the tests on reflected column j.
Vector normal(const Reflection& reflection, int j) {
  Vector coef(reflection.u.size(), 0.0);
  for (std::size_t k = 0; k < coef.size(); ++k)
    if (reflection.u[k] != 0.0) coef[k] = -2.0 * reflection.u[j] * reflection.u[k];
  coef[j] += 1.0;
  return coef;
}

// A reflected column and its best score.
struct Place {
  double score = kAnyScore;
  int column = -1;
};

class ReflectedSpace {
 public:
  ReflectedSpace(const Node& node, const Vector& largest, const Reflection& reflection)
      : node_(node),
        largest_(largest),
        reflection_(reflection),
        z_(node.n_rows(), 0.0),
        column_(node.n_rows()) {
    for (std::size_t j = 0; j < reflection.u.size(); ++j) {
      const double u = reflection.u[j];
      if (u == 0.0) continue;
      const double* x = node.column(static_cast<int>(j));
      add_multiple(z_.size(), u, x, z_.data());
      size_of_z_ += std::abs(u) * largest[j];
    }
  }

  Place best(BestScore& known, const SearchContext& context) {
    Place best;
    bool first = true;
    std::int64_t searched = 0;
    for (std::size_t j = 0; j < reflection_.u.size(); ++j) {
      if (reflection_.u[j] == 0.0) continue;  // unchanged: left to the axis-parallel test
      const bool searched_before = first && reflection_.mirrored;
      first = false;
      if (searched_before) continue;
      context.supervisor.check();
      ++searched;
      const auto found = search(static_cast<int>(j), known.get());
      if (!found || !(found->score > best.score)) continue;
      best = {found->score, static_cast<int>(j)};
      known.raise(best.score);
    }
    context.hyperplanes += searched;
    return best;
  }

 private:
  std::optional<LineOptimum> search(int j, double floor) {
    const double* x = node_.column(j);
    const double twice = 2.0 * reflection_.u[j];
    less_multiple(column_.size(), x, twice, z_.data(), column_.data());
    const double tolerance = rounding(largest_[j] + std::abs(twice) * size_of_z_);
    return node_.line_search().threshold(column_.data(), tolerance, floor);
  }

  const Node& node_;
  const Vector& largest_;
  const Reflection& reflection_;
  Vector z_, column_;
  double size_of_z_ = 0.0;  // magnitude of the summands of z, which bounds rounding
};

Vector largest_values(const Node& node) {
  Vector largest(node.n_columns(), 0.0);
  for (int j : node.columns().numeric()) {
    const double* x = node.column(j);
    for (std::size_t i = 0; i < node.n_rows(); ++i)
      largest[j] = std::max(largest[j], std::abs(x[i]));
  }
  return largest;
}

// Number of values read when searching these spaces.
std::size_t work_of(const Node& node, std::size_t spaces) {
  return node.n_rows() * spaces * node.columns().numeric().size();
}

// An ancestor's reflection, kept by the nodes below it.
struct InheritedSpace : Legacy {
  InheritedSpace(const Search* owner, Vector reflected_by)
      : Legacy(owner), u(std::move(reflected_by)) {}
  Vector u;
};

// The best reflected test above the floor and the index of its space; the first on ties.
std::optional<std::pair<Split, std::size_t>> best_reflected(
    const Node& node, const std::vector<Reflection>& reflections, double least,
    const SearchContext& context) {
  std::vector<Place> places(reflections.size());
  const Vector largest = largest_values(node);
  BestScore known(least);
  context.share(static_cast<int>(reflections.size()), work_of(node, reflections.size()),
                [&](int i) {
                  places[i] = ReflectedSpace(node, largest, reflections[i]).best(known, context);
                });
  const auto best =
      std::max_element(places.begin(), places.end(),
                       [](const Place& a, const Place& b) { return a.score < b.score; });
  if (best == places.end() || best->column < 0 || !(best->score > least)) return std::nullopt;
  const auto space = static_cast<std::size_t>(best - places.begin());
  // Again, with the sums that prediction forms.
  std::optional<Split> split = node.best_along(normal(reflections[space], best->column));
  if (!split) return std::nullopt;
  return std::make_pair(std::move(*split), space);
}

// CART in the inherited space: reflected columns, unchanged ones, categories.
std::optional<Split> in_inherited_space(const Node& node, const InheritedSpace& space,
                                        const SearchContext& context) {
  const Reflection reflection{space.u, false};
  std::optional<Split> best;
  if (auto reflected = best_reflected(node, {reflection}, kAnyScore, context))
    best = std::move(reflected->first);
  for (int j : node.columns().numeric())
    if (reflection.u[j] == 0.0)
      keep_better(best, best_threshold(node, node.line_search(), j, node.column(j)));
  for (const CategoryGroup& group : node.columns().groups())
    keep_better(best, best_subset(node, group));
  if (best) best->legacy = context.legacy;
  return best;
}

class Reflections {
 public:
  Reflections(const Node& node, const HHCartOptions& options, const SearchContext& context)
      : node_(node), options_(options), columns_(reflected_columns(node)) {
    if (columns_.size() < 2) return;
    const auto classes = ordered_classes(node, columns_);
    std::vector<std::vector<Vector>> directions(classes.size());
    context.share(static_cast<int>(classes.size()), work_of(node, classes.size()),
                  [&](int c) { directions[c] = of_class(classes[c]); });
    for (const auto& of_one : directions)
      for (const Vector& d : of_one) add(d);
  }
  const std::vector<Reflection>& all() const { return all_; }

 private:
  // Orientations of the class and, optionally, of its clusters.
  std::vector<Vector> of_class(const Rows& rows) const {
    std::vector<Vector> directions = orientations(node_, columns_, rows, options_.orientation);
    if (options_.clusters == 1 || directions.empty()) return directions;
    const auto parts = clusters(node_, columns_, rows, options_.clusters);
    if (parts.size() == 1) return directions;
    for (const auto& part : parts)
      for (Vector& d : orientations(node_, columns_, part, options_.orientation))
        directions.push_back(std::move(d));
    return directions;
  }

  void add(const Vector& d) {
    if (parallel_to_an_axis(d, options_.tau)) return;
    // In two dimensions both signs give the same two directions.
    const bool both = options_.both_signs && columns_.size() > 2;
    for (double sign : {1.0, -1.0})
      if (sign > 0.0 || both)
        if (auto one = reflection(d, sign, columns_, node_.n_columns()))
          all_.push_back(std::move(*one));
  }

  const Node& node_;
  const HHCartOptions& options_;
  std::vector<int> columns_;
  std::vector<Reflection> all_;
};

bool few_misclassified(const Node& node, double rate) {
  Vector weight = node.target().class_weight();
  *std::max_element(weight.begin(), weight.end()) = 0.0;
  return std::accumulate(weight.begin(), weight.end(), 0.0) <= rate * node.target().total_weight();
}

}  // namespace

std::optional<Split> HHCart::find(const NodePointer& node, const SearchContext& context) const {
  if (few_misclassified(*node, options_.mis_rate)) return std::nullopt;
  const bool inherits =
      options_.depth_of_reflection >= 0 && context.depth > options_.depth_of_reflection;
  if (inherits)
    if (const auto* space = context.legacy_of<InheritedSpace>(*this))
      return in_inherited_space(*node, *space, context);
  node->columns().gather_numbers();
  std::optional<Split> axis = AxisParallel().find(node, context);
  if (inherits) return axis;  // the ancestor chose the original axes: keep them
  const Reflections reflections(*node, options_, context);
  const double least = axis && options_.axis_parallel ? axis->score : kAnyScore;
  auto oblique = best_reflected(*node, reflections.all(), least, context);
  if (!oblique || !(oblique->first.score > least)) return axis;
  const auto space = std::make_shared<InheritedSpace>(this, reflections.all()[oblique->second].u);
  std::optional<Split> best = options_.axis_parallel ? std::move(oblique->first)
                                                     : in_inherited_space(*node, *space, context);
  // Only for nodes that read it: wrappers keep their coordinates for any legacy.
  if (best && options_.depth_of_reflection >= 0 && context.depth >= options_.depth_of_reflection)
    best->legacy = space;
  return best;
}

namespace {

const RegisteredSearch hhcart_registered("HHCART", [](Options& options) {
  const OrientationOptions orientation{options.flag("dominant"), options.flag("robust"),
                                       options.flag("all_null"), options.flag("shrinks")};
  return std::make_shared<HHCart>(HHCartOptions{
      orientation, options.number("tau"), options.flag("both_signs"),
      static_cast<int>(options.whole("depth_of_reflection", -1)), options.number("mis_rate"),
      options.flag("axis_parallel"), options.count("clusters")});
});

}  // namespace

}  // namespace aslant
