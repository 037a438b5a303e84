// Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984, chapters 2 and 4.
//
// Numbers: every midpoint between neighbouring values. Categories: with two classes the levels are
// ordered by the share of one class, and the best of all subsets is a run of that order (Breiman et
// al., theorem 4.5). With more classes no such order exists; tried are the subsets of one level and
// the runs of the levels ordered by their first CRIMCOORD (Loh and Shih 1997), the first axis of
// the correspondence analysis of levels against classes.

#include "search/axis_parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contingency.hpp"

namespace aslant {

namespace {

std::vector<double> level_scores(const Contingency& table) {
  if (table.classes.size() > 2) return first_axis(table);
  std::vector<double> share;
  for (int level : table.present)
    share.push_back(table.at(level, table.classes[0]) / table.total(level));
  return share;
}

// Levels go to child 0 one after the other; the best moment is kept.
class LevelSubsets {
 public:
  LevelSubsets(const Node& node, const CategoryGroup& group, const Contingency& table)
      : node_(node), group_(group), table_(table) {}

  void begin() {
    child0_.assign(table_.n_classes, 0.0);
    rows0_ = 0;
    fill0_ = 0.0;
    members_.clear();
  }

  void add(int level) {
    for (int k = 0; k < table_.n_classes; ++k) child0_[k] += table_.at(level, k);
    rows0_ += table_.rows[level];
    fill0_ += group_.fill[level];
    members_.push_back(level);
    consider();
  }

  bool found() const { return !best_.empty(); }

  // x in A as a linear test over the indicators, with the smaller of A and its complement.
  Split split() const {
    std::vector<int> others;
    for (int level : table_.present)
      if (std::find(best_.begin(), best_.end(), level) == best_.end()) others.push_back(level);
    const bool inside = best_.size() <= others.size();
    std::vector<double> coef(node_.n_columns(), 0.0);
    for (int level : inside ? best_ : others)
      coef[group_.first_column + level] = inside ? -1.0 : 1.0;
    return hyperplane(coef, inside ? -0.5 : 0.5, best_score_);
  }

 private:
  void consider() {
    std::vector<double> child0 = child0_;
    std::int64_t rows0 = rows0_;
    if (fill0_ >= 0.5) {  // rows without a level go where most of the others go
      for (int k = 0; k < table_.n_classes; ++k) child0[k] += table_.at(table_.missing, k);
      rows0 += table_.rows[table_.missing];
    }
    const std::optional<double> score = node_.score(child0, rows0);
    if (score && (best_.empty() || *score > best_score_)) {
      best_ = members_;
      best_score_ = *score;
    }
  }

  const Node& node_;
  const CategoryGroup& group_;
  const Contingency& table_;
  std::vector<double> child0_;
  std::int64_t rows0_ = 0;
  double fill0_ = 0.0;
  std::vector<int> members_, best_;
  double best_score_ = 0.0;
};

bool is_constant(const double* column, std::size_t n) {
  for (std::size_t i = 1; i < n; ++i)
    if (column[i] != column[0]) return false;
  return true;
}

}  // namespace

std::optional<Split> best_threshold(const Node& node, LineSearch search, int column, double floor) {
  const double* x = node.column(column);
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

  LevelSubsets search(node, group, table);
  search.begin();
  for (std::size_t i = 0; i + 1 < order.size(); ++i) search.add(table.present[order[i]]);
  if (table.classes.size() > 2)
    for (int level : table.present) {
      search.begin();
      search.add(level);
    }
  if (!search.found()) return std::nullopt;
  return search.split();
}

std::optional<Split> AxisParallel::find(const std::shared_ptr<const Node>& node,
                                        const SearchContext& context) const {
  const std::vector<int>& numeric = node->numeric_columns();
  const int n_numeric = static_cast<int>(numeric.size());
  const int n_tests = n_numeric + static_cast<int>(node->groups().size());
  std::vector<std::optional<Split>> candidates(n_tests);
  BestScore known;
  const auto search_feature = [&](int i) {
    context.supervisor.check();
    candidates[i] = i < n_numeric
                        ? best_threshold(*node, node->line_search(), numeric[i], known.get())
                        : best_subset(*node, node->groups()[i - n_numeric]);
    if (candidates[i]) known.raise(candidates[i]->score);
  };
  if (node->n_rows() * n_tests >= kWorthSharing) {
    context.pool.for_each(n_tests, search_feature);
  } else {
    for (int i = 0; i < n_tests; ++i) search_feature(i);
  }
  std::optional<Split> best;
  for (auto& candidate : candidates)
    if (candidate && (!best || candidate->score > best->score)) best = std::move(candidate);
  context.hyperplanes += 1;
  return best;
}

}  // namespace aslant
