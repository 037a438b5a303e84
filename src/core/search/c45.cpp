// J. R. Quinlan, C4.5: Programs for Machine Learning, 1993; Improved use of continuous attributes
// in C4.5, Journal of Artificial Intelligence Research 4, 1996.

#include "search/c45.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/axis_parallel.hpp"

namespace aslant {

// A test, what it gains, and the entropy of its branch sizes ("split information").
struct C45::Candidate {
  std::optional<Split> split;
  double gain = 0.0;
  double branch_entropy = 0.0;
};

namespace {

double entropy_bits(const std::vector<double>& weights) {
  return impurity(CriterionKind::entropy, weights.data(), static_cast<int>(weights.size()));
}

double classes_present(const Node& node) {
  return static_cast<double>(std::count_if(node.class_weight().begin(), node.class_weight().end(),
                                           [](double weight) { return weight > 0.0; }));
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

// The threshold of highest gain. Each child keeps a tenth of the mean class size, but not less than
// min_cases and not more than 25. Cases are weights: C4.5 counts parts of rows too.
C45::Candidate C45::number_test(const Node& node, int column) const {
  Candidate candidate;
  const double n = node.total_weight();
  ChildLimits limits = node.limits();
  limits.weight =
      std::max({limits.weight, min_cases_, std::min(25.0, 0.1 * n / classes_present(node))});
  candidate.split = best_threshold(
      node, LineSearch(node.labelled_rows(), CriterionKind::entropy, limits), column);
  if (!candidate.split) return candidate;
  const double* x = node.column(column);
  candidate.gain = candidate.split->score;
  if (threshold_cost_)
    candidate.gain -= std::log2(static_cast<double>(distinct_values(x, node.n_rows()) - 1)) / n;
  std::vector<double> branch(2, 0.0);
  for (std::size_t i = 0; i < node.n_rows(); ++i)
    branch[x[i] <= candidate.split->offsets[0] ? 0 : 1] += node.weight_of(i);
  candidate.branch_entropy = entropy_bits(branch);
  return candidate;
}

// One branch per level that occurs; at least two of them must hold min_cases.
C45::Candidate C45::category_test(const Node& node, const CategoryGroup& group) const {
  Candidate candidate;
  const int n_classes = node.n_classes();
  std::vector<std::vector<double>> weight(group.n_levels, std::vector<double>(n_classes, 0.0));
  const auto most = std::max_element(group.fill.begin(), group.fill.end()) - group.fill.begin();
  for (std::size_t i = 0; i < node.n_rows(); ++i) {
    const auto level = group.code[i] < 0 ? most : group.code[i];
    weight[level][node.label()[i]] += node.weight_of(i);
  }
  std::vector<int> levels;
  std::vector<double> branch;
  double after = 0.0;
  for (int level = 0; level < group.n_levels; ++level) {
    const double size = std::accumulate(weight[level].begin(), weight[level].end(), 0.0);
    if (!(size > 0.0)) continue;
    levels.push_back(level);
    branch.push_back(size);
    after += size / node.total_weight() * entropy_bits(weight[level]);
  }
  const auto large = std::count_if(branch.begin(), branch.end(),
                                   [this](double size) { return size >= min_cases_; });
  if (large < 2) return candidate;
  candidate.split = machine_over_levels(group, levels);
  candidate.gain = entropy_bits(node.class_weight()) - after;
  candidate.branch_entropy = entropy_bits(branch);
  return candidate;
}

std::optional<Split> C45::find(const std::shared_ptr<const Node>& node,
                               const SearchContext& context) const {
  std::vector<Candidate> candidates;
  for (int column : node->numeric_columns()) {
    context.supervisor.check();
    candidates.push_back(number_test(*node, column));
  }
  for (const CategoryGroup& group : node->groups())
    candidates.push_back(category_test(*node, group));
  context.hyperplanes += 1;

  double sum = 0.0, count = 0.0;
  for (const Candidate& candidate : candidates)
    if (candidate.split && candidate.gain > 0.0) {
      sum += candidate.gain;
      count += 1.0;
    }
  std::optional<Split> best;
  for (Candidate& candidate : candidates) {
    if (!candidate.split || !(candidate.gain > 0.0) || candidate.gain < sum / count - 1e-5 ||
        !(candidate.branch_entropy > 0.0))
      continue;
    candidate.split->score = candidate.gain / candidate.branch_entropy;
    if (!best || candidate.split->score > best->score) best = std::move(candidate.split);
  }
  return best;
}

}  // namespace aslant
