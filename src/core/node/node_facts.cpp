#include "node/node_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace aslant {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

NodeFacts::NodeFacts(const Problem& problem)
    : problem_(problem),
      statistics_(problem.target().width()),
      column_(problem.features().columns().size()),
      present_(problem.features().table().n_features),
      largest_(problem.features().table().n_features, 0.0) {
  const RegressionTarget* target = problem.target().regression();
  low_.assign(target ? target->n_outputs() : 0, kInfinite);
  high_.assign(low_.size(), -kInfinite);
}

NodeFacts::NodeFacts(const Problem& problem, const double* numbers, std::size_t n)
    : NodeFacts(problem) {
  if (n != size()) throw std::invalid_argument("these are not the facts of a node of such data");
  rows_ = static_cast<std::int64_t>(*numbers++);
  for (auto* sums : {&statistics_, &column_, &present_})
    for (AccurateSum& sum : *sums) {
      sum.add_sum(numbers[0], numbers[1]);
      numbers += 2;
    }
  for (auto* values : {&largest_, &low_, &high_})
    for (double& value : *values) value = *numbers++;
}

// Features with extreme values are summed as values / 2^scale to avoid overflow.
int NodeFacts::scale(int feature) const {
  const Features& features = problem_.features();
  return features.global() && features.has_extreme(feature) ? features.global()->exponent[feature]
                                                            : 0;
}

std::size_t NodeFacts::size() const {
  return 1 + 2 * (statistics_.size() + column_.size() + present_.size()) + largest_.size() +
         low_.size() + high_.size();
}

std::vector<double> NodeFacts::numbers() const {
  std::vector<double> numbers = {static_cast<double>(rows_)};
  numbers.reserve(size());
  for (const auto* sums : {&statistics_, &column_, &present_})
    for (const AccurateSum& sum : *sums) {
      numbers.push_back(sum.sum());
      numbers.push_back(sum.lost());
    }
  for (const auto* values : {&largest_, &low_, &high_})
    numbers.insert(numbers.end(), values->begin(), values->end());
  return numbers;
}

void NodeFacts::add(std::uint32_t row) {
  const double weight = problem_.weight_of(row);
  ++rows_;
  problem_.target().add(row, weight, statistics_.data());
  for (std::size_t q = 0; q < low_.size(); ++q) {
    const double value = problem_.target().regression()->values(row)[q];
    low_[q] = std::min(low_[q], value);
    high_[q] = std::max(high_[q], value);
  }
  const Features& features = problem_.features();
  const Columns& columns = features.columns();
  for (int j = 0; j < columns.size();) {
    const int feature = columns.feature[j], first = j;
    while (j < columns.size() && columns.feature[j] == feature) ++j;
    const double x = features.table().at(row, feature);
    if (std::isnan(x)) continue;
    present_[feature].add(weight, 1.0);
    if (columns.level[first] >= 0) {
      column_[first + static_cast<int>(x)].add(weight, 1.0);
      continue;
    }
    largest_[feature] = std::max(largest_[feature], std::abs(x));
    column_[first].add(features.has_extreme(feature) ? std::ldexp(x, -scale(feature)) : x, weight);
  }
}

void NodeFacts::add(const NodeFacts& other) {
  rows_ += other.rows_;
  const auto add_all = [](std::vector<AccurateSum>& to, const std::vector<AccurateSum>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i].add_sum(from[i].sum(), from[i].lost());
  };
  add_all(statistics_, other.statistics_);
  add_all(column_, other.column_);
  add_all(present_, other.present_);
  for (std::size_t f = 0; f < largest_.size(); ++f)
    largest_[f] = std::max(largest_[f], other.largest_[f]);
  for (std::size_t q = 0; q < low_.size(); ++q) {
    low_[q] = std::min(low_[q], other.low_[q]);
    high_[q] = std::max(high_[q], other.high_[q]);
  }
}

std::vector<double> NodeFacts::statistics() const {
  std::vector<double> values;
  for (const AccurateSum& sum : statistics_) values.push_back(sum.value());
  return values;
}

FeatureFacts NodeFacts::of_feature(int feature) const {
  return {present_[feature].value(), largest_[feature]};
}

double NodeFacts::mean(int column, int exponent) const {
  const int feature = problem_.features().columns().feature[column];
  const double present = present_[feature].value();
  if (present == 0.0) return 0.0;
  const int scaled = problem_.features().columns().level[column] < 0 ? scale(feature) : 0;
  return std::ldexp(column_[column].over(present), scaled - exponent);
}

bool NodeFacts::is_pure() const {
  if (problem_.target().regression()) return low_ == high_;
  return problem_.target().is_pure(statistics().data(), nullptr, 0);
}

}  // namespace aslant
