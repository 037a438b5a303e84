// J. R. Quinlan, C4.5: Programs for Machine Learning, 1993; Improved use of continuous attributes
// in C4.5, Journal of Artificial Intelligence Research 4, 1996.

#include "search/c45.hpp"

#include <algorithm>
#include <cmath>

#include "node/contingency.hpp"
#include "node/partition.hpp"
#include "search/axis_parallel.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

std::size_t distinct_values(std::vector<double> sorted) {
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

// One branch per level: a linear machine over the indicators. A small bias by frequency sends
// absent and missing levels to the most frequent branch.
Split machine_over_levels(const CategoryGroup& group, const std::vector<int>& levels) {
  Split split;
  for (int level : levels) {
    split.add(group.first_column + level, 1.0);
    split.end_vector(0.1 * group.fill[level]);
  }
  return split;
}

}  // namespace

// Each child of a threshold keeps a tenth of the mean class size, at least min_cases and at most
// 25. Cases are weights: C4.5 counts fractional rows.
ChildLimits C45::limits_at(const Node& node) const {
  ChildLimits limits = node.limits();
  const double tenth = 0.1 * node.target().total_weight() / node.target().classes_present();
  limits.weight = std::max({limits.weight, min_cases_, std::min(25.0, tenth)});
  return limits;
}

GainTest C45::number_test(const Node& node, int column, const double* x) const {
  const LineSearch search(node.target().sweep_rows(), kind_of<Entropy>(), limits_at(node));
  const std::optional<Split> found = best_threshold(node, search, column, x);
  if (!found) return {};
  const double threshold = found->offsets[0];
  return threshold_test(node, column, {threshold, found->score},
                        part_where(node.target(), [&](std::size_t i) { return x[i] <= threshold; }),
                        threshold_cost_ ? distinct_values({x, x + node.n_rows()}) : 0);
}

GainTest C45::number_test(const Node& node, int column, const SparseColumn& x) const {
  const LineSearch search(node.target().sweep_rows(), kind_of<Entropy>(), limits_at(node));
  const auto best = search.threshold(x);
  if (!best) return {};
  const bool zeros_in0 = best->alpha >= 0.0;  // rows above leave child 0; else rows below enter it
  Part child0{
      zeros_in0 ? static_cast<std::int64_t>(node.n_rows()) : 0,
      zeros_in0 ? node.target().statistics() : std::vector<double>(node.target().width(), 0.0)};
  for (std::size_t i = 0; i < x.rows.size(); ++i) {
    if ((x.values[i] <= best->alpha) == zeros_in0) continue;
    child0.rows += zeros_in0 ? -1 : 1;
    child0.statistics[node.target().label()[x.rows[i]]] +=
        zeros_in0 ? -node.weight_of(x.rows[i]) : node.weight_of(x.rows[i]);
  }
  const std::size_t zero = x.rows.size() < node.n_rows() ? 1 : 0;
  return threshold_test(node, column, *best, child0, distinct_values(x.values) + zero);
}

GainTest C45::threshold_test(const Node& node, int column, const LineOptimum& best,
                             const Part& child0, std::size_t n_distinct) const {
  GainTest test;
  test.split.emplace();
  test.split->add(column, 1.0);
  test.split->end_vector(best.alpha);
  const double n = node.target().total_weight();
  test.gain = best.score;
  if (threshold_cost_) test.gain -= std::log2(static_cast<double>(n_distinct - 1)) / n;
  const double weight0 = node.target().weight_in(child0.statistics.data());
  test.branch_entropy = entropy_bits({weight0, n - weight0});
  test.split->score = score_of(node, child0).value_or(0.0);
  return test;
}

// One branch per present level, missing ones in the largest; two branches must hold min_cases.
GainTest C45::category_test(const Node& node, const CategoryGroup& group) const {
  GainTest test;
  const Contingency table(node, group);
  const auto most =
      static_cast<int>(std::max_element(group.fill.begin(), group.fill.end()) - group.fill.begin());
  std::vector<int> levels;
  std::vector<double> branch;
  std::vector<Part> children;
  double after = 0.0;
  for (int level = 0; level < group.n_levels; ++level) {
    Part child{table.rows[level], {table.statistics(level), table.statistics(level) + table.width}};
    if (level == most) {
      child.rows += table.rows[table.missing];
      for (int k = 0; k < table.width; ++k) child.statistics[k] += table.at(table.missing, k);
    }
    if (child.rows == 0) continue;
    levels.push_back(level);
    branch.push_back(node.target().weight_in(child.statistics.data()));
    after += branch.back() / node.target().total_weight() * entropy_bits(child.statistics);
    children.push_back(std::move(child));
  }
  const auto large = std::count_if(branch.begin(), branch.end(),
                                   [this](double size) { return size >= min_cases_; });
  if (large < 2) return test;
  test.split = machine_over_levels(group, levels);
  test.split->score = score_of(node, children);
  test.gain = entropy_bits(node.target().class_weight()) - after;
  test.branch_entropy = entropy_bits(branch);
  return test;
}

std::optional<Split> C45::find(const NodePointer& node, const SearchContext& context) const {
  std::vector<GainTest> tests;
  if (node->columns().is_sparse()) {
    for (int j : node->columns().varying()) {
      context.supervisor.check();
      GainTest test = number_test(*node, j, *node->columns().sparse(j));
      if (test.split) tests.push_back(std::move(test));
    }
  } else {
    const std::vector<int>& numeric = node->columns().numeric();
    tests.resize(numeric.size());
    for_each_number(*node, context, [&](std::size_t i, const double* x) {
      tests[i] = number_test(*node, numeric[i], x);
    });
  }
  for (const CategoryGroup& group : node->columns().groups())
    tests.push_back(category_test(*node, group));
  context.hyperplanes += 1;

  return best_gain_ratio(tests);
}

// The sample chooses the feature; all rows choose its test.
std::optional<Split> C45::finish_on_line(const Node& line) const {
  GainTest test = number_test(line, 0, line.column(0));
  return test.is_useful() ? std::move(test.split) : std::nullopt;
}

std::optional<Split> C45::finish_on_category(const Node& node, const CategoryGroup& group) const {
  GainTest test = category_test(node, group);
  return test.is_useful() ? std::move(test.split) : std::nullopt;
}

namespace {

const RegisteredSearch c45_registered("C45", [](Options& options) {
  return std::make_shared<C45>(options.number("min_cases"), options.flag("threshold_cost"));
});

}  // namespace

}  // namespace aslant
