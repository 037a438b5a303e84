// J. R. Quinlan, C4.5: Programs for Machine Learning, 1993; Improved use of continuous attributes
// in C4.5, Journal of Artificial Intelligence Research 4, 1996.

#include "search/c45.hpp"

#include <algorithm>
#include <cmath>

#include "contingency.hpp"
#include "partition.hpp"
#include "registry.hpp"
#include "search/axis_parallel.hpp"

namespace aslant {

// A test, what it gains, and the entropy of its branch sizes ("split information").
struct C45::Test {
  std::optional<Split> split;
  double gain = 0.0;
  double branch_entropy = 0.0;

  bool is_useful() const { return split && gain > 0.0 && branch_entropy > 0.0; }
};

namespace {

double entropy_bits(const double* weights, std::size_t n) {
  return impurity(CriterionKind::entropy, weights, static_cast<int>(n));
}
double entropy_bits(const std::vector<double>& weights) {
  return entropy_bits(weights.data(), weights.size());
}

std::size_t distinct_values(const double* x, std::size_t n) {
  std::vector<double> sorted(x, x + n);
  std::sort(sorted.begin(), sorted.end());
  return static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

// One branch for each of these levels: a linear machine whose vectors are the indicators. A small
// bias by frequency sends a level that does not occur here, and a missing one, with the most.
Split machine_over_levels(const CategoryGroup& group, const std::vector<int>& levels) {
  Split split;
  const std::size_t width = levels.size();
  split.coefs.assign(width * width, 0.0);
  for (std::size_t i = 0; i < width; ++i) {
    split.columns.push_back(group.first_column + levels[i]);
    split.coefs[i * width + i] = 1.0;
    split.offsets.push_back(0.1 * group.fill[levels[i]]);
  }
  return split;
}

}  // namespace

// Each child of a threshold keeps a tenth of the mean class size, but not less than min_cases and
// not more than 25. Cases are weights: C4.5 counts parts of rows too.
ChildLimits C45::limits_at(const Node& node) const {
  ChildLimits limits = node.limits();
  const double tenth = 0.1 * node.target().total_weight() / node.target().classes_present();
  limits.weight = std::max({limits.weight, min_cases_, std::min(25.0, tenth)});
  return limits;
}

// The threshold of highest gain.
C45::Test C45::number_test(const Node& node, int column, const double* x) const {
  Test test;
  const LineSearch search(node.target().sweep_rows(), CriterionKind::entropy, limits_at(node));
  test.split = best_threshold(node, search, column, x);
  if (!test.split) return test;
  const double n = node.target().total_weight(), threshold = test.split->offsets[0];
  test.gain = test.split->score;
  if (threshold_cost_)
    test.gain -= std::log2(static_cast<double>(distinct_values(x, node.n_rows()) - 1)) / n;
  const Part child0 = part_where(node.target(), [&](std::size_t i) { return x[i] <= threshold; });
  const double weight0 = weight_of(node.target(), child0.statistics);
  test.branch_entropy = entropy_bits({weight0, n - weight0});
  test.split->score = score_of(node, child0).value_or(0.0);
  return test;
}

// One branch per level that occurs, rows without a level going with the most frequent one; at least
// two of them must hold min_cases.
C45::Test C45::category_test(const Node& node, const CategoryGroup& group) const {
  Test test;
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
    branch.push_back(weight_of(node.target(), child.statistics));
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
  const std::vector<int>& numeric = node->columns().numeric();
  std::vector<Test> tests(numeric.size());
  for_each_number(*node, context, [&](std::size_t i, const double* x) {
    tests[i] = number_test(*node, numeric[i], x);
  });
  for (const CategoryGroup& group : node->columns().groups())
    tests.push_back(category_test(*node, group));
  context.hyperplanes += 1;

  double sum = 0.0, count = 0.0;
  for (const Test& test : tests)
    if (test.split && test.gain > 0.0) {
      sum += test.gain;
      count += 1.0;
    }
  // The highest gain ratio among the tests of at least average gain.
  std::optional<Split> best;
  double best_ratio = 0.0;
  for (Test& test : tests) {
    if (!test.is_useful() || test.gain < sum / count - 1e-5) continue;
    const double ratio = test.gain / test.branch_entropy;
    if (best && !(ratio > best_ratio)) continue;
    best = std::move(test.split);
    best_ratio = ratio;
  }
  return best;
}

// The feature is the sample's choice, its test that of all rows.
std::optional<Split> C45::finish_on_line(const Node& line) const {
  Test test = number_test(line, 0, line.column(0));
  return test.is_useful() ? std::move(test.split) : std::nullopt;
}

std::optional<Split> C45::finish_on_category(const Node& node, const CategoryGroup& group) const {
  Test test = category_test(node, group);
  return test.is_useful() ? std::move(test.split) : std::nullopt;
}

namespace {

const RegisteredSearch c45_registered("C45", [](Options& options) {
  return std::make_shared<C45>(options.number("min_cases"), options.flag("threshold_cost"));
});

}  // namespace

}  // namespace aslant
