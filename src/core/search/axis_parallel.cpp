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

#include "lapack.hpp"

namespace aslant {

namespace {

// Class weights and row counts of every level, and of the rows without one.
struct Contingency {
  explicit Contingency(const Node& node, const CategoryGroup& group)
      : n_classes(node.n_classes()),
        weight((group.n_levels + 1) * n_classes, 0.0),
        rows(group.n_levels + 1, 0),
        missing(group.n_levels) {
    for (std::size_t i = 0; i < node.n_rows(); ++i) {
      const int level = group.code[i] < 0 ? missing : group.code[i];
      weight[level * n_classes + node.label()[i]] += node.weight_of(i);
      ++rows[level];
    }
    for (int level = 0; level < group.n_levels; ++level)
      if (rows[level] > 0) present.push_back(level);
    for (int k = 0; k < n_classes; ++k)
      if (node.class_weight()[k] > 0.0) classes.push_back(k);
  }
  double at(int level, int k) const { return weight[level * n_classes + k]; }
  double total(int level) const {
    const auto begin = weight.begin() + level * n_classes;
    return std::accumulate(begin, begin + n_classes, 0.0);
  }

  int n_classes;
  std::vector<double> weight;
  std::vector<std::int64_t> rows;
  int missing;
  std::vector<int> present;  // levels that occur
  std::vector<int> classes;  // classes that occur
};

// First axis of the correspondence analysis: level scores that separate the classes best.
std::vector<double> first_crimcoord(const Contingency& table) {
  const int m = static_cast<int>(table.present.size()), k = static_cast<int>(table.classes.size());
  std::vector<double> level_mass(m, 0.0), class_mass(k, 0.0);
  double n = 0.0;
  for (int i = 0; i < m; ++i)
    for (int c = 0; c < k; ++c) {
      const double weight = table.at(table.present[i], table.classes[c]);
      level_mass[i] += weight;
      class_mass[c] += weight;
      n += weight;
    }
  // Standardised residuals Z = D_r^-1/2 (P - r c') D_c^-1/2, up to the factor 1/n.
  std::vector<double> residual(m * k, 0.0);
  for (int i = 0; i < m; ++i)
    for (int c = 0; c < k; ++c) {
      const double expected = level_mass[i] * class_mass[c] / n;
      if (expected > 0.0)
        residual[i * k + c] =
            (table.at(table.present[i], table.classes[c]) - expected) / std::sqrt(expected);
    }
  std::vector<double> gram(k * k, 0.0);
  for (int i = 0; i < m; ++i)
    for (int a = 0; a < k; ++a)
      for (int b = 0; b < k; ++b) gram[a * k + b] += residual[i * k + a] * residual[i * k + b];
  symmetric_eigenvectors(gram, k);
  const double* axis = &gram[(k - 1) * k];  // of the largest eigenvalue
  std::vector<double> score(m, 0.0);
  for (int i = 0; i < m; ++i) {
    for (int c = 0; c < k; ++c) score[i] += residual[i * k + c] * axis[c];
    score[i] /= std::sqrt(level_mass[i]);
  }
  return score;
}

std::vector<double> level_scores(const Contingency& table) {
  if (table.classes.size() > 2) return first_crimcoord(table);
  std::vector<double> share;
  for (int level : table.present)
    share.push_back(table.at(level, table.classes[0]) / table.total(level));
  return share;
}

// Levels go to child 0 one after the other; the best moment is kept.
class SubsetSearch {
 public:
  SubsetSearch(const Node& node, const CategoryGroup& group, const Contingency& table)
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

  SubsetSearch search(node, group, table);
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
