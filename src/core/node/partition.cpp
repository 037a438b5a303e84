#include "node/partition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace aslant {

std::vector<Part> children_of(const Node& node, const Split& split) {
  std::vector<double> coef(node.n_columns(), 0.0), highest;
  std::vector<int> child(node.n_rows(), 0);
  for (int v = 0; v < split.n_vectors(); ++v) {
    for (std::int64_t e = split.start[v]; e < split.start[v + 1]; ++e)
      coef[split.columns[e]] = split.coefs[e];
    std::vector<double> output = node.columns().projection(coef);
    for (std::int64_t e = split.start[v]; e < split.start[v + 1]; ++e) coef[split.columns[e]] = 0.0;
    if (split.n_vectors() == 1) {
      for (std::size_t i = 0; i < output.size(); ++i) child[i] = !(output[i] <= split.offsets[0]);
      break;
    }
    for (double& value : output) value += split.offsets[v];
    if (v == 0) {
      highest = std::move(output);
      continue;
    }
    for (std::size_t i = 0; i < output.size(); ++i)
      if (output[i] > highest[i]) {
        highest[i] = output[i];
        child[i] = v;
      }
  }
  return parts_by(node.target(), split.n_children(), [&](std::size_t i) { return child[i]; });
}

bool is_allowed(const Node& node, const Part& part, const ChildLimits& limits) {
  return limits.allow(part.rows, node.target().weight_in(part.statistics.data()));
}

namespace {

// Statistics as sweeps sum them: centered near the mean of the targets if the criterion requires
// it.
std::vector<double> swept(const Node& node, std::vector<double> statistics) {
  if (!centers_targets(node.criterion())) return statistics;
  const NodeTarget& target = node.target();
  const double* from_centre = target.sweep_rows().total;
  for (std::size_t q = 1; q < statistics.size(); ++q)
    statistics[q] -=
        statistics[0] * ((target.statistics()[q] - from_centre[q]) / target.total_weight());
  return statistics;
}

double score_of_two(const Node& node, const std::vector<double>& child0) {
  const NodeTarget& target = node.target();
  return partition_score(node.criterion(), swept(node, child0).data(),
                         swept(node, target.statistics()).data(), target.width());
}

}  // namespace

std::optional<double> score_of(const Node& node, const Part& child0) {
  const NodeTarget& target = node.target();
  if (!node.limits().allow_both(child0.rows, target.weight_in(child0.statistics.data()),
                                static_cast<std::int64_t>(node.n_rows()), target.total_weight()))
    return std::nullopt;
  return score_of_two(node, child0.statistics);
}

double score_of(const Node& node, const std::vector<Part>& children) {
  const NodeTarget& target = node.target();
  const auto filled = std::count_if(children.begin(), children.end(),
                                    [](const Part& child) { return child.rows > 0; });
  if (filled < 2) return 0.0;
  if (children.size() == 2) {
    // A child with a weight below rounding counts as empty.
    const double weight0 = target.weight_in(children[0].statistics.data());
    const bool both = ChildLimits().allow_both(
        children[0].rows, weight0, static_cast<std::int64_t>(node.n_rows()), target.total_weight());
    return both ? score_of_two(node, children[0].statistics) : 0.0;
  }
  ChildStatistics statistics;
  for (const Part& child : children)
    if (child.rows > 0) statistics.push_back(swept(node, child.statistics));
  return multiway_score(node.criterion(), statistics, swept(node, target.statistics()));
}

}  // namespace aslant
