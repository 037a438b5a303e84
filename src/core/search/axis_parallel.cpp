// Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984, chapters 2 and 4.
//
// Numeric columns: every midpoint of adjacent values. Categories: levels are ordered by the share
// of one class (two classes) or by mean target (regression); the best subset is a run of that order
// (theorem 4.5 and section 8.8). More classes have no such order: tries single levels and runs by
// the first CRIMCOORD (Loh and Shih 1997), the first axis of the correspondence analysis of levels
// against classes.

#include "search/axis_parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "node/contingency.hpp"
#include "node/partition.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

std::vector<double> level_scores(const Contingency& table) {
  if (table.classes.size() > 2) return first_axis(table);
  const int k = table.has_classes ? table.classes[0] : 1;  // a class, or the first target sum
  std::vector<double> share;
  for (int level : table.present) share.push_back(table.at(level, k) / table.total(level));
  return share;
}

// Moves levels to child 0 one by one and keeps the best score.
class LevelSubsets {
 public:
  LevelSubsets(const Node& node, const CategoryGroup& group, const Contingency& table)
      : node_(node), group_(group), table_(table) {}

  // Tries the prefixes of a level order up to this length.
  void try_runs(const std::vector<int>& levels, std::size_t length) {
    Part child0{0, std::vector<double>(table_.width, 0.0)};
    double fill0 = 0.0;
    std::size_t best_length = 0;
    for (std::size_t i = 0; i < length; ++i) {
      put(levels[i], child0);
      fill0 += group_.fill[levels[i]];
      const std::optional<double> score = score_with_missing(child0, fill0);
      if (!score || (found_ && !(*score > best_score_))) continue;
      found_ = true;
      best_score_ = *score;
      best_length = i + 1;
    }
    if (best_length > 0) best_.assign(levels.begin(), levels.begin() + best_length);
  }

  bool found() const { return found_; }

  // x in A as a linear test over the indicators, with the smaller of A and its complement.
  Split split() const {
    std::vector<char> chosen(group_.n_levels, 0);
    for (int level : best_) chosen[level] = 1;
    std::vector<int> others;
    for (int level : table_.present)
      if (!chosen[level]) others.push_back(level);
    const bool inside = best_.size() <= others.size();
    std::vector<double> coef(node_.n_columns(), 0.0);
    for (int level : inside ? best_ : others)
      coef[group_.first_column + level] = inside ? -1.0 : 1.0;
    return hyperplane(coef, inside ? -0.5 : 0.5, best_score_);
  }

 private:
  void put(int level, Part& part) const {
    for (int k = 0; k < table_.width; ++k) part.statistics[k] += table_.at(level, k);
    part.rows += table_.rows[level];
  }

  // Rows with a missing level follow the majority.
  std::optional<double> score_with_missing(const Part& child0, double fill0) const {
    if (fill0 < 0.5 || table_.rows[table_.missing] == 0) return score_of(node_, child0);
    Part with = child0;
    put(table_.missing, with);
    return score_of(node_, with);
  }

  const Node& node_;
  const CategoryGroup& group_;
  const Contingency& table_;
  std::vector<int> best_;
  bool found_ = false;
  double best_score_ = 0.0;
};

bool is_constant(const double* column, std::size_t n) {
  for (std::size_t i = 1; i < n; ++i)
    if (column[i] != column[0]) return false;
  return true;
}

}  // namespace

Split threshold_split(int column, const LineOptimum& best) {
  Split split;
  split.add(column, 1.0);
  split.end_vector(best.alpha);
  split.score = best.score;
  return split;
}

std::optional<Split> best_threshold(const Node& node, const LineSearch& search, int column,
                                    const double* x, double floor) {
  if (is_constant(x, node.n_rows())) return std::nullopt;
  const auto best = search.threshold(x, 0.0, floor);
  if (!best) return std::nullopt;
  return threshold_split(column, *best);
}

std::optional<Split> best_subset(const Node& node, const CategoryGroup& group) {
  const Contingency table(node, group);
  if (table.present.size() < 2) return std::nullopt;
  const std::vector<double> score = level_scores(table);
  std::vector<int> order(table.present.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return score[a] < score[b]; });

  std::vector<int> levels;
  for (int place : order) levels.push_back(table.present[place]);
  LevelSubsets search(node, group, table);
  search.try_runs(levels, levels.size() - 1);
  if (table.classes.size() > 2)
    for (int level : table.present) search.try_runs({level}, 1);
  if (!search.found()) return std::nullopt;
  return search.split();
}

// A sparse column costs its nonzero rows; all-zero columns are skipped.
std::optional<Split> AxisParallel::best_of_sparse_columns(const Node& node,
                                                          const SearchContext& context) const {
  constexpr std::size_t kTogether = 256;
  const std::vector<int> columns = node.columns().varying();
  const auto n_parts = static_cast<int>((columns.size() + kTogether - 1) / kTogether);
  std::vector<std::optional<Split>> found(n_parts);
  const LineSearch search = node.line_search();
  BestScore known;
  context.share(n_parts, columns.size() * kTogether, [&](int part) {
    context.supervisor.check();
    const std::size_t end = std::min((part + 1) * kTogether, columns.size());
    for (std::size_t c = part * kTogether; c < end; ++c) {
      const auto best = search.ordered(order(columns[c]))
                            .threshold(*node.columns().sparse(columns[c]), known.get());
      if (!best || (found[part] && !(best->score > found[part]->score))) continue;
      found[part] = threshold_split(columns[c], *best);
      known.raise(best->score);
    }
  });
  std::optional<Split> best;
  for (std::optional<Split>& split : found) keep_better(best, std::move(split));
  return best;
}

std::optional<Split> AxisParallel::find(const NodePointer& node,
                                        const SearchContext& context) const {
  if (FewRows::suits(*node)) return of_few_rows_.find(node, context);
  if (node->columns().is_sparse()) {
    context.hyperplanes += 1;
    return best_of_sparse_columns(*node, context);
  }
  const std::vector<int>& numeric = node->columns().numeric();
  const std::vector<CategoryGroup>& groups = node->columns().groups();
  std::vector<std::optional<Split>> found(numeric.size() + groups.size());
  const LineSearch search = node->line_search();
  BestScore known;
  for_each_number(*node, context, [&](std::size_t i, const double* x) {
    found[i] = best_threshold(*node, search.ordered(order(numeric[i])), numeric[i], x, known.get());
    if (found[i]) known.raise(found[i]->score);
  });
  context.share(static_cast<int>(groups.size()), node->n_rows() * groups.size(), [&](int g) {
    context.supervisor.check();
    found[numeric.size() + g] = best_subset(*node, groups[g]);
  });
  std::optional<Split> best;
  for (std::optional<Split>& split : found) keep_better(best, std::move(split));
  context.hyperplanes += 1;
  return best;
}

namespace {

const RegisteredSearch axis_parallel_registered("AxisParallel", [](Options&) {
  return std::make_shared<AxisParallel>();
});

}  // namespace

}  // namespace aslant
