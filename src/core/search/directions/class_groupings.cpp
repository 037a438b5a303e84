// The scatter of standardized columns gets a ridge that matters for few rows: (0.01 + 0.5 / n) I.
// One Cholesky factor then serves the discriminants of all groupings.

#include "search/directions/class_groupings.hpp"

#include <algorithm>
#include <cmath>

#include "node/moments.hpp"
#include "node/partition.hpp"
#include "support/lapack.hpp"

namespace aslant {

namespace {

constexpr double kRidge = 0.01, kRidgeOfRows = 0.5;
constexpr double kSameGroupMean = 1e-12;  // in deviations
constexpr int kMostRounds = 20;           // of 2-means

}  // namespace

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

ClassGroupings::ClassGroupings(const Node& node, const std::vector<int>& columns)
    : node_(node), columns_(columns), present_(classes_by_weight(node.target())) {
  const Moments all = moments(node, columns, all_rows(node));
  const std::size_t d = columns.size();
  for (std::size_t j = 0; j < d; ++j) {
    const double variance = all.scatter[j * d + j] / all.weight;
    scale_.push_back({all.mean[j], variance > 0.0 ? std::sqrt(variance) : 1.0});
  }
  factor_.resize(d * d);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j)
      factor_[i * d + j] = all.scatter[i * d + j] / all.weight / scale_[i].unit / scale_[j].unit;
  for (std::size_t j = 0; j < d; ++j) factor_[j * d + j] += kRidge + kRidgeOfRows / all.weight;
  cholesky_factor(factor_, static_cast<int>(d));

  class_mean_.assign(node.target().n_classes(), std::vector<double>(d, 0.0));
  for (std::size_t j = 0; j < d; ++j) {
    const std::vector<double> mean = class_means(node.target(), node.column(columns[j]));
    for (int k : present_) class_mean_[k][j] = (mean[k] - scale_[j].origin) / scale_[j].unit;
  }
}

std::vector<double> ClassGroupings::direction(const Grouping& grouping) const {
  const std::size_t d = columns_.size();
  std::vector<double> mean[2] = {std::vector<double>(d, 0.0), std::vector<double>(d, 0.0)};
  double weight[2] = {0.0, 0.0};
  for (int k : present_) {
    const int side = grouping[k];
    weight[side] += class_weight()[k];
    for (std::size_t j = 0; j < d; ++j) mean[side][j] += class_weight()[k] * class_mean_[k][j];
  }
  if (!(weight[0] > 0.0) || !(weight[1] > 0.0)) return {};
  std::vector<double> difference(d);
  double largest = 0.0;
  for (std::size_t j = 0; j < d; ++j) {
    difference[j] = mean[1][j] / weight[1] - mean[0][j] / weight[0];
    largest = std::max(largest, std::abs(difference[j]));
  }
  if (!(largest > kSameGroupMean)) return {};
  const std::vector<double> solution =
      solve_triangle(factor_, solve_triangle(factor_, std::move(difference), false), true);
  std::vector<double> direction(node_.n_columns(), 0.0);
  for (std::size_t j = 0; j < d; ++j) direction[columns_[j]] = solution[j] / scale_[j].unit;
  return direction;
}

std::vector<Grouping> one_against_rest(const NodeTarget& target) {
  std::vector<int> classes = classes_by_weight(target);
  if (classes.size() == 2) classes.pop_back();  // the second grouping repeats the first
  std::vector<Grouping> groupings;
  for (int k : classes) {
    groupings.emplace_back(target.n_classes(), 1);
    groupings.back()[k] = 0;
  }
  return groupings;
}

Grouping ClassGroupings::by_side(const Split& split) const {
  const std::vector<Part> children = children_of(node_, split);
  Grouping grouping(node_.target().n_classes(), 0);
  for (int k : present_)
    grouping[k] = children[1].statistics[k] > children[0].statistics[k] ? 1 : 0;
  return grouping;
}

Grouping ClassGroupings::by_two_means() const {
  std::vector<std::vector<double>> point;  // of the classes present
  for (int k : present_) point.push_back(solve_triangle(factor_, class_mean_[k], false));
  std::vector<double> centre[2] = {point[0], point[0]};
  double farthest = -1.0;
  for (std::size_t a = 0; a < point.size(); ++a)
    for (std::size_t b = a + 1; b < point.size(); ++b) {
      const double distance = squared_distance(point[a], point[b]);
      if (distance <= farthest) continue;
      farthest = distance;
      centre[0] = point[a];
      centre[1] = point[b];
    }
  Grouping grouping(node_.target().n_classes(), 0);
  for (int round = 0; round < kMostRounds; ++round) {
    Grouping next = grouping;
    for (std::size_t i = 0; i < point.size(); ++i)
      next[present_[i]] =
          squared_distance(point[i], centre[1]) < squared_distance(point[i], centre[0]) ? 1 : 0;
    if (round > 0 && next == grouping) break;
    grouping = next;
    for (int side = 0; side < 2; ++side) {
      std::vector<double> sum(columns_.size(), 0.0);
      double weight = 0.0;
      for (std::size_t i = 0; i < point.size(); ++i) {
        if (grouping[present_[i]] != side) continue;
        const double w = class_weight()[present_[i]];
        weight += w;
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += w * point[i][j];
      }
      if (!(weight > 0.0)) continue;
      for (double& value : sum) value /= weight;
      centre[side] = std::move(sum);
    }
  }
  return grouping;
}

}  // namespace aslant
