#include "search/directions/superclasses.hpp"

#include <algorithm>
#include <utility>

#include "node/moments.hpp"
#include "search/directions/class_groupings.hpp"

namespace aslant {

namespace {

using Point = std::vector<double>;

// The class means of standardized columns.
std::vector<Point> standard_means(const Node& node, const std::vector<int>& columns) {
  std::vector<Point> means(node.target().n_classes());
  for (int j : columns) {
    const Spread all = spread(node, j);
    const std::vector<double> of_class = class_means(node.target(), node.column(j));
    for (std::size_t k = 0; k < means.size(); ++k)
      means[k].push_back(all.deviation > 0.0 ? (of_class[k] - all.mean) / all.deviation : 0.0);
  }
  return means;
}

// One step of 2-means: the mean of the class means of each group.
Point centre(const std::vector<Point>& means, const std::vector<double>& count,
             const std::vector<int>& present, const std::vector<char>& group, char which) {
  Point sum(means[present[0]].size(), 0.0);
  double total = 0.0;
  for (int k : present) {
    if (group[k] != which) continue;
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += count[k] * means[k][j];
    total += count[k];
  }
  for (double& value : sum) value /= total;
  return sum;
}

// The farthest pair of classes; with weights, the pair that explains most variance.
std::pair<int, int> extremes(const std::vector<Point>& means, const std::vector<double>& count,
                             const std::vector<int>& present) {
  std::pair<int, int> farthest{-1, -1};
  double most = 0.0;
  for (std::size_t a = 0; a < present.size(); ++a)
    for (std::size_t b = a + 1; b < present.size(); ++b) {
      const int j = present[a], k = present[b];
      const double distance =
          squared_distance(means[j], means[k]) * count[j] * count[k] / (count[j] + count[k]);
      if (distance <= most) continue;
      most = distance;
      farthest = {j, k};
    }
  return farthest;
}

}  // namespace

std::vector<char> superclasses(const Node& node, const std::vector<int>& columns,
                               ClassCount class_count) {
  const std::vector<int> present = classes_by_weight(node.target());
  std::vector<char> group(node.target().n_classes(), 1);
  if (present.empty()) return group;
  group[present[0]] = 0;
  if (present.size() <= 2) return group;
  const std::vector<Point> means = standard_means(node, columns);
  const std::vector<double> count = class_count == ClassCount::by_weight
                                        ? node.target().class_weight()
                                        : std::vector<double>(node.target().n_classes(), 1.0);
  const auto [first, second] = extremes(means, count, present);
  if (first < 0) return group;
  Point centre0 = means[first], centre1 = means[second];
  std::fill(group.begin(), group.end(), 2);
  for (std::size_t step = 0; step < 100; ++step) {  // converges in a few
    std::vector<char> next(group.size(), 1);
    for (int k : present)
      next[k] = squared_distance(means[k], centre1) < squared_distance(means[k], centre0) ? 1 : 0;
    const bool settled = next == group || std::all_of(present.begin(), present.end(), [&](int k) {
                           return next[k] == next[present[0]];
                         });
    if (settled) break;
    group = next;
    centre0 = centre(means, count, present, group, 0);
    centre1 = centre(means, count, present, group, 1);
  }
  if (group[present[0]] == 1)
    for (int k : present) group[k] = static_cast<char>(1 - group[k]);
  return group;
}

}  // namespace aslant
