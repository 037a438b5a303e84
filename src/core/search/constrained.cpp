#include "search/constrained.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "node/moments.hpp"
#include "node/partition.hpp"
#include "search/forest_split.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

// The mean target of a part; of two classes, the share of the second.
double mean_target(const Part& part, bool classes) {
  const std::vector<double>& s = part.statistics;
  return classes ? s[1] / (s[0] + s[1]) : s[1] / s[0];
}

bool all(const std::vector<char>& marks) {
  return std::find(marks.begin(), marks.end(), 0) == marks.end();
}
bool any(const std::vector<char>& marks) {
  return std::find(marks.begin(), marks.end(), 1) != marks.end();
}

// Whether every feature of one set is in the other.
bool contains(const std::vector<char>& set, const std::vector<char>& part) {
  for (std::size_t f = 0; f < set.size(); ++f)
    if (part[f] && !set[f]) return false;
  return true;
}

}  // namespace

// What the nodes below a split know of the way to them.
struct Constrained::Path : Legacy {
  Path(const Search* by, Features features, std::shared_ptr<const Legacy> inner)
      : Legacy(by), used(std::move(features)), of_search(std::move(inner)) {}
  Features used;
  std::shared_ptr<const Legacy> of_search;
};

int Constrained::n_features() const {
  return options_.feature.empty() ? 0 : options_.feature.back() + 1;
}

std::optional<Split> Constrained::find(const NodePointer& node,
                                       const SearchContext& context) const {
  const Path* path = context.legacy_of<Path>(*this);
  const SearchContext inner = context.with_legacy(path ? path->of_search : nullptr);
  std::optional<Split> split;
  if (context.depth == 0 && !options_.root_coef.empty())
    split = forced_root(node);
  else
    split = cheapest(node, open_features(path, context.depth), path, inner);
  if (!split) return split;
  Features used = features_of(*split);
  for (std::size_t f = 0; path && f < used.size(); ++f) used[f] |= path->used[f];
  split->legacy = std::make_shared<Path>(this, std::move(used), split->legacy);
  return split;
}

// The features that a test may read here, each by itself.
Constrained::Features Constrained::open_features(const Path* path, int depth) const {
  Features open(n_features(), 1);
  if (!options_.allowed.empty())
    open = options_.allowed[std::min<std::size_t>(depth, options_.allowed.size() - 1)];
  if (options_.groups.empty()) return open;
  Features in_group(open.size(), 0);
  for (const Features& group : options_.groups)
    if (!path || contains(group, path->used))
      for (std::size_t f = 0; f < group.size(); ++f) in_group[f] |= group[f];
  for (std::size_t f = 0; f < open.size(); ++f) open[f] = open[f] && in_group[f];
  return open;
}

std::optional<Split> Constrained::forced_root(const NodePointer& node) const {
  std::vector<double> coef = options_.root_coef;
  for (int j = 0; j < node->n_columns(); ++j)
    coef[j] = std::ldexp(coef[j], node->columns().exponent(j));
  Split split = hyperplane(coef, options_.root_threshold, 0.0);
  const std::vector<Part> children = children_of(*node, split);
  for (const Part& child : children)
    if (!is_allowed(*node, child, node->limits())) return std::nullopt;
  split.score = score_of(*node, children);
  return split;
}

// The split of largest score less the costs of the features that it reads and the path has not:
// the best of all features, that without its most expensive ones, and the best single feature.
std::optional<Split> Constrained::cheapest(const NodePointer& node, const Features& open,
                                           const Path* path, const SearchContext& context) const {
  std::optional<Split> best = lawful(node, open, path, context);
  if (options_.cost.empty()) return best;
  const auto net = [&](const Split& split) { return split.score - cost_of(split, path); };
  Features left = open;
  for (std::optional<Split> split = best; split && cost_of(*split, path) > 0.0;) {
    const Features used = features_of(*split);
    int dearest = -1;
    for (int f = 0; f < n_features(); ++f)
      if (used[f] && (dearest < 0 || cost_of(f, path) > cost_of(dearest, path))) dearest = f;
    left[dearest] = 0;
    split = lawful(node, left, path, context.below(left.size()));
    if (split && net(*split) > net(*best)) best = split;
  }
  for (int f = 0; f < n_features(); ++f) {
    if (!open[f]) continue;
    Features alone(open.size(), 0);
    alone[f] = 1;
    const std::optional<Split> one = on_open(axis_parallel_, node, alone, context);
    if (one && (!best || net(*one) > net(*best))) best = one;
  }
  if (best && !(net(*best) > 0.0)) return std::nullopt;
  return best;
}

// The split of a search that sees only the open features.
std::optional<Split> Constrained::on_open(const Search& search, const NodePointer& node,
                                          const Features& open,
                                          const SearchContext& context) const {
  if (all(open)) return search.find(node, context);
  std::vector<int> columns;
  for (int j = 0; j < node->n_columns(); ++j)
    if (open[options_.feature[j]]) columns.push_back(j);
  std::optional<Split> split =
      search.find(node->restricted_to(columns), context.with_legacy(nullptr));
  if (split) keep_only(columns, *split);
  return split;
}

// The split of the inner search on the open features that breaks no rule.
std::optional<Split> Constrained::lawful(const NodePointer& node, Features open, const Path* path,
                                         const SearchContext& context) const {
  for (std::uint64_t attempt = 0; any(open); ++attempt) {
    const SearchContext here = attempt == 0 ? context : context.below(attempt);
    std::optional<Split> split = on_open(*search_, node, open, here);
    if (!split || split->is_constant()) return std::nullopt;
    const Features wrong = wrong_signs(*node, *split);
    if (any(wrong)) split = repaired(node, *split, wrong, open, here);
    if (!split) return split;
    const Features removed = beyond_rules(*node, *split, path);
    if (!any(removed)) return split;
    for (std::size_t f = 0; f < open.size(); ++f) open[f] = open[f] && !removed[f];
  }
  return std::nullopt;
}

// The best threshold along the coefficients of right sign, or the best test of one feature.
std::optional<Split> Constrained::repaired(const NodePointer& node, const Split& split,
                                           const Features& wrong, const Features& open,
                                           const SearchContext& context) const {
  std::optional<Split> best = on_open(axis_parallel_, node, open, context);
  if (split.n_vectors() > 1) return best;
  std::vector<double> coef(node->n_columns(), 0.0);
  int order = 0;
  bool left = false;
  for (std::size_t e = 0; e < split.columns.size(); ++e) {
    const int column = split.columns[e];
    if (wrong[options_.feature[column]]) continue;
    coef[column] = split.coefs[e];
    left = true;
    if (sign(column) != 0) order = split.coefs[e] * sign(column) > 0.0 ? 1 : -1;
  }
  if (left) keep_better(best, node->best_along(coef, node->line_search().ordered(order)));
  return best;
}

// The features whose coefficients would make predictions move against a sign.
Constrained::Features Constrained::wrong_signs(const Node& node, const Split& split) const {
  Features rising(n_features(), 0), falling = rising;  // towards child 1, child 0
  for (std::size_t e = 0; e < split.columns.size(); ++e) {
    const int wanted = sign(split.columns[e]), feature = options_.feature[split.columns[e]];
    if (wanted != 0) (split.coefs[e] * wanted > 0.0 ? rising : falling)[feature] = 1;
  }
  if (!any(rising) && !any(falling)) return rising;
  if (split.n_vectors() > 1) {  // a linear machine has no order of its children
    for (std::size_t f = 0; f < rising.size(); ++f) rising[f] |= falling[f];
    return rising;
  }
  const std::vector<Part> children = children_of(node, split);
  const bool classes = node.target().has_classes();
  return mean_target(children[1], classes) >= mean_target(children[0], classes) ? falling : rising;
}

// The features outside the group of the test, or beyond the number of features that it may have.
Constrained::Features Constrained::beyond_rules(const Node& node, const Split& split,
                                                const Path* path) const {
  Features found(n_features(), 0);
  if (!options_.groups.empty()) add_outside_group(node, split, path, found);
  if (!any(found) && options_.max_features > 0) add_beyond_limit(node, split, found);
  return found;
}

// Keeps the group that the largest coefficients, in standard deviations, lie in.
void Constrained::add_outside_group(const Node& node, const Split& split, const Path* path,
                                    Features& found) const {
  std::vector<double> size(found.size(), 0.0);
  for (std::size_t e = 0; e < split.columns.size(); ++e)
    size[options_.feature[split.columns[e]]] +=
        std::abs(split.coefs[e]) * spread(node, split.columns[e]).deviation;
  const Features* kept = nullptr;
  double most = -1.0;
  for (const Features& group : options_.groups) {
    if (path && !contains(group, path->used)) continue;
    double inside = 0.0;
    for (std::size_t f = 0; f < group.size(); ++f) inside += group[f] ? size[f] : 0.0;
    if (inside <= most) continue;
    most = inside;
    kept = &group;
  }
  const Features used = features_of(split);
  for (std::size_t f = 0; f < found.size(); ++f) found[f] = used[f] && !(kept && (*kept)[f]);
}

void Constrained::add_beyond_limit(const Node& node, const Split& split, Features& found) const {
  std::vector<double> size(found.size(), 0.0);
  for (std::size_t e = 0; e < split.columns.size(); ++e)
    size[options_.feature[split.columns[e]]] +=
        std::abs(split.coefs[e]) * spread(node, split.columns[e]).deviation;
  const Features used = features_of(split);
  std::vector<int> order;
  for (int f = 0; f < n_features(); ++f)
    if (used[f]) order.push_back(f);
  if (order.size() <= static_cast<std::size_t>(options_.max_features)) return;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return size[a] > size[b]; });
  // The others are closed for all further attempts, whether this test reads them or not.
  std::fill(found.begin(), found.end(), 1);
  for (int i = 0; i < options_.max_features; ++i) found[order[i]] = 0;
}

Constrained::Features Constrained::features_of(const Split& split) const {
  Features used(n_features(), 0);
  for (std::int32_t column : split.columns) used[options_.feature[column]] = 1;
  return used;
}

double Constrained::cost_of(int feature, const Path* path) const {
  const bool paid = path && path->used[feature] && !options_.pay_per_test;
  return options_.cost.empty() || paid ? 0.0 : options_.cost[feature];
}

double Constrained::cost_of(const Split& split, const Path* path) const {
  const Features used = features_of(split);
  double total = 0.0;
  for (int f = 0; f < n_features(); ++f)
    if (used[f]) total += cost_of(f, path);
  return total;
}

namespace {

std::vector<int> whole_numbers(const std::vector<double>& values) {
  return std::vector<int>(values.begin(), values.end());
}

// Rows of a matrix of zeros and ones, one after the other.
std::vector<std::vector<char>> rows_of(const std::vector<double>& values, std::size_t width) {
  std::vector<std::vector<char>> rows;
  for (std::size_t i = 0; width > 0 && i + width <= values.size(); i += width)
    rows.emplace_back(values.begin() + i, values.begin() + i + width);
  return rows;
}

// Searches that keep signs themselves.
SearchPointer with_signs(const Search& search, const std::vector<int>& sign) {
  if (dynamic_cast<const AxisParallel*>(&search)) return std::make_shared<AxisParallel>(sign);
  if (const auto* forest = dynamic_cast<const ForestSplit*>(&search)) {
    ForestSplit::Settings settings = forest->settings();
    settings.sign = sign;
    return std::make_shared<ForestSplit>(std::move(settings));
  }
  if (const auto* forest = dynamic_cast<const RandomProjection*>(&search)) {
    RandomProjection::Settings settings = forest->settings();
    settings.sign = sign;
    return std::make_shared<RandomProjection>(std::move(settings));
  }
  return nullptr;
}

const RegisteredSearch constrained_registered(
    "Constrained", [](Options& options) -> std::shared_ptr<Search> {
      ConstraintOptions given;
      given.sign = whole_numbers(options.numbers("sign"));
      given.feature = whole_numbers(options.numbers("feature"));
      const std::size_t n = given.feature.empty() ? 0 : given.feature.back() + 1;
      given.groups = rows_of(options.numbers("groups"), n);
      given.allowed = rows_of(options.numbers("allowed"), n);
      given.cost = options.numbers("cost");
      given.pay_per_test = options.flag("pay_per_test");
      given.max_features = options.count("max_features");
      given.root_coef = options.numbers("root_coef");
      given.root_threshold = options.number("root_threshold");
      const SearchPointer inner = options.search("search");
      const SearchPointer own = with_signs(*inner, given.sign);
      const bool only_signs = given.groups.empty() && given.allowed.empty() && given.cost.empty() &&
                              given.max_features == 0 && given.root_coef.empty();
      if (own && only_signs) return std::const_pointer_cast<Search>(own);
      return std::make_shared<Constrained>(own ? own : inner, std::move(given));
    });

}  // namespace

}  // namespace aslant
