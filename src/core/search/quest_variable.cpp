// W.-Y. Loh and Y.-S. Shih, Split Selection Methods for Classification Trees, Statistica Sinica 7,
// 1997, algorithm 1. Weights count cases.

#include "search/quest_variable.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "node/contingency.hpp"
#include "node/moments.hpp"
#include "search/quest_tails.hpp"

namespace aslant {

namespace {

// A test result. `strength`, in [0, 1], breaks ties of probabilities: few cases allow no test.
struct Evidence {
  double log_probability = 0.0;
  double strength = 0.0;

  bool operator<(const Evidence& other) const {
    return log_probability < other.log_probability ||
           (log_probability == other.log_probability && strength > other.strength);
  }
};

// Analysis of variance: do the class means of x differ? Sums over rows ignore class numbering.
Evidence anova(const Node& node, const double* x) {
  const std::vector<double> means = class_means(node.target(), x);
  const std::vector<double>& weight = node.target().weight();
  const double centre = mean_of(x, weight.empty() ? nullptr : weight.data(), node.n_rows());
  double between = 0.0, within = 0.0;
  for (std::size_t i = 0; i < node.n_rows(); ++i) {
    const double mean = means[node.target().label()[i]];
    between += node.weight_of(i) * (mean - centre) * (mean - centre);
    within += node.weight_of(i) * (x[i] - mean) * (x[i] - mean);
  }
  Evidence evidence;
  const double groups = node.target().classes_present(), cases = node.target().total_weight();
  if (!(between > 0.0) || groups < 2.0) return evidence;
  evidence.strength = between / (between + within);
  if (cases > groups)
    evidence.log_probability = log_f_tail((between / (groups - 1.0)) / (within / (cases - groups)),
                                          groups - 1.0, cases - groups);
  return evidence;
}

// Levene's test: do the classes differ in spread?
Evidence levene(const Node& node, const double* x) {
  const std::vector<double> means = class_means(node.target(), x);
  std::vector<double> distance(node.n_rows());
  for (std::size_t i = 0; i < node.n_rows(); ++i)
    distance[i] = std::abs(x[i] - means[node.target().label()[i]]);
  return anova(node, distance.data());
}

// Chi-square of levels against classes, over the known levels.
Evidence chi_square(const Node& node, const CategoryGroup& group) {
  const Contingency table(node, group);
  std::vector<double> class_mass(table.width, 0.0);
  for (int level : table.present)
    for (int k : table.classes) class_mass[k] += table.at(level, k);
  const double cases = std::accumulate(class_mass.begin(), class_mass.end(), 0.0);
  double statistic = 0.0;
  for (int level : table.present)
    for (int k : table.classes) {
      const double expected = table.total(level) * class_mass[k] / cases;
      if (!(expected > 0.0)) continue;
      const double excess = table.at(level, k) - expected;
      statistic += excess * excess / expected;
    }
  const auto classes = static_cast<double>(std::count_if(
      class_mass.begin(), class_mass.end(), [](double weight) { return weight > 0.0; }));
  const double levels = static_cast<double>(table.present.size());
  Evidence evidence;
  if (levels < 2.0 || classes < 2.0 || !(statistic > 0.0)) return evidence;
  evidence.log_probability = log_chi_square_tail(statistic, (levels - 1.0) * (classes - 1.0));
  evidence.strength = statistic / cases / (std::min(levels, classes) - 1.0);
  return evidence;
}

}  // namespace

int select_variable(const Node& node, const ScoredCategories& categories,
                    const std::vector<int>& columns, double alpha) {
  const Node& scored = *categories.scored();
  const auto log_level = [alpha](double tests) { return std::log(alpha / tests); };
  Evidence best;
  int chosen = -1;
  std::vector<int> numbers;
  for (int j : columns) {
    const CategoryGroup* category = categories.category(j);
    if (category == nullptr) numbers.push_back(j);
    const Evidence evidence =
        category == nullptr ? anova(scored, scored.column(j)) : chi_square(node, *category);
    if (chosen >= 0 && !(evidence < best)) continue;
    best = evidence;
    chosen = j;
  }
  const auto tests = static_cast<double>(columns.size());
  if (numbers.empty() || best.log_probability < log_level(tests)) return chosen;
  Evidence best_spread;
  int spread = -1;
  for (int j : numbers) {
    const Evidence evidence = levene(scored, scored.column(j));
    if (spread >= 0 && !(evidence < best_spread)) continue;
    best_spread = evidence;
    spread = j;
  }
  const double more_tests = tests + static_cast<double>(numbers.size());
  return best_spread.log_probability < log_level(more_tests) ? spread : chosen;
}

}  // namespace aslant
