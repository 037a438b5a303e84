// Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984, chapters 2 and 4.
//
// Numbers: every midpoint between neighbouring values. Categories: with two classes the levels are
// ordered by the share of one class, with numbers for a target by their mean, and the best of all
// subsets is a run of that order (Breiman et al., theorem 4.5 and section 8.8). With more classes
// no such order exists; tried are the subsets of one level and the runs of the levels ordered by
// their first CRIMCOORD (Loh and Shih 1997), the first axis of the correspondence analysis of
// levels against classes.

#include "search/axis_parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contingency.hpp"
#include "partition.hpp"
#include "registry.hpp"

namespace aslant {

namespace {

std::vector<double> level_scores(const Contingency& table) {
  if (table.classes.size() > 2) return first_axis(table);
  const int k = table.has_classes ? table.classes[0] : 1;  // a class, or the first sum of numbers
  std::vector<double> share;
  for (int level : table.present) share.push_back(table.at(level, k) / table.total(level));
  return share;
}

// Levels go to child 0 one after the other; the best moment is kept.
class LevelSubsets {
 public:
  LevelSubsets(const Node& node, const CategoryGroup& group, const Contingency& table)
      : node_(node), group_(group), table_(table) {}

  // The runs that begin a sequence of levels, up to this length.
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

  // Rows without a level go where most of the others go.
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

std::optional<Split> best_threshold(const Node& node, const LineSearch& search, int column,
                                    const double* x, double floor) {
  if (is_constant(x, node.n_rows())) return std::nullopt;
  const auto best = search.threshold(x, 0.0, floor);
  if (!best) return std::nullopt;
  Split split;
  split.columns = {column};
  split.coefs = {1.0};
  split.offsets = {best->alpha};
  split.score = best->score;
  return split;
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

std::optional<Split> AxisParallel::find(const NodePointer& node,
                                        const SearchContext& context) const {
  if (FewRows::suits(*node)) return of_few_rows_.find(node, context);
  const std::vector<int>& numeric = node->columns().numeric();
  const std::vector<CategoryGroup>& groups = node->columns().groups();
  std::vector<std::optional<Split>> found(numeric.size() + groups.size());
  const LineSearch search = node->line_search();
  BestScore known;
  for_each_number(*node, context, [&](std::size_t i, const double* x) {
    found[i] = best_threshold(*node, search, numeric[i], x, known.get());
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
