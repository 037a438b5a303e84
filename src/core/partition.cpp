#include "partition.hpp"

#include <algorithm>
#include <numeric>

namespace aslant {

std::vector<Part> children_of(const Node& node, const Split& split) {
  const std::size_t width = split.columns.size();
  std::vector<std::vector<double>> outputs;
  for (int v = 0; v < split.n_vectors(); ++v) {
    std::vector<double> coef(node.n_columns(), 0.0);
    for (std::size_t c = 0; c < width; ++c) coef[split.columns[c]] = split.coefs[v * width + c];
    outputs.push_back(node.columns().projection(coef));
  }
  return parts_by(node.target(), split.n_children(), [&](std::size_t i) {
    if (split.n_vectors() == 1) return outputs[0][i] <= split.offsets[0] ? 0 : 1;
    int best = 0;
    for (int v = 1; v < split.n_vectors(); ++v)
      if (outputs[v][i] + split.offsets[v] > outputs[best][i] + split.offsets[best]) best = v;
    return best;
  });
}

double weight_of(const NodeTarget& target, const std::vector<double>& statistics) {
  return target.has_classes() ? std::accumulate(statistics.begin(), statistics.end(), 0.0)
                              : statistics[0];
}

bool is_allowed(const Node& node, const Part& part, const ChildLimits& limits) {
  return limits.allow(part.rows, weight_of(node.target(), part.statistics));
}

namespace {

// Numbers counted from their mean at the node: squares of large ones would lose what differs.
std::vector<double> centred(const NodeTarget& target, std::vector<double> statistics) {
  for (std::size_t q = 1; q < statistics.size(); ++q)
    statistics[q] -= statistics[0] * target.statistics()[q] / target.total_weight();
  return statistics;
}

double score_of_two(const Node& node, const std::vector<double>& child0) {
  const NodeTarget& target = node.target();
  if (node.criterion() == CriterionKind::squared_error)
    return partition_score(node.criterion(), centred(target, child0).data(),
                           centred(target, target.statistics()).data(), target.width());
  return partition_score(node.criterion(), child0.data(), target.statistics().data(),
                         target.width());
}

}  // namespace

std::optional<double> score_of(const Node& node, const Part& child0) {
  const NodeTarget& target = node.target();
  if (!node.limits().allow_both(child0.rows, weight_of(target, child0.statistics),
                                static_cast<std::int64_t>(node.n_rows()), target.total_weight()))
    return std::nullopt;
  return score_of_two(node, child0.statistics);
}

double score_of(const Node& node, const std::vector<Part>& children) {
  const NodeTarget& target = node.target();
  const auto filled = std::count_if(children.begin(), children.end(),
                                    [](const Part& child) { return child.rows > 0; });
  if (filled < 2) return 0.0;
  if (children.size() == 2) return score_of_two(node, children[0].statistics);
  std::vector<std::vector<double>> statistics;
  for (const Part& child : children) statistics.push_back(child.statistics);
  return multiway_score(node.criterion(), statistics, target.statistics());
}

bool separates(const NodeTarget& target, const Part& child0) {
  if (!target.has_classes()) return false;
  int classes0 = 0, classes1 = 0;
  for (int k = 0; k < target.n_classes(); ++k) {
    classes0 += child0.statistics[k] > 0.0;
    classes1 += target.class_weight()[k] - child0.statistics[k] > 0.0;
  }
  return classes0 == 1 && classes1 == 1;
}

double accuracy_of(const Node& node, const std::vector<Part>& children) {
  double correct = 0.0;
  for (const Part& child : children)
    correct += *std::max_element(child.statistics.begin(), child.statistics.end());
  return correct / node.target().total_weight();
}

}  // namespace aslant
