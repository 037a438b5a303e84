#include "node_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace aslant {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

NodeFacts::NodeFacts(const Data& data)
    : data_(data),
      statistics_(data.target.width()),
      column_(data.columns.size()),
      present_(data.table.n_features),
      largest_(data.table.n_features, 0.0),
      low_(data.target.n_outputs, kInfinite),
      high_(data.target.n_outputs, -kInfinite) {}

NodeFacts::NodeFacts(const Data& data, const double* numbers, std::size_t n) : NodeFacts(data) {
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

// Sums of a feature with extreme values are taken of values / 2^scale: none overflows.
int NodeFacts::scale(int feature) const {
  return data_.whole && data_.has_extreme[feature] ? data_.whole->exponent[feature] : 0;
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

void NodeFacts::add(const Problem& problem, std::uint32_t row) {
  const Target& target = data_.target;
  const double weight = problem.weight_of(row);
  ++rows_;
  target.add(row, weight, statistics_.data());
  for (int q = 0; q < target.n_outputs; ++q) {
    const double number = target.number[static_cast<std::size_t>(row) * target.n_outputs + q];
    low_[q] = std::min(low_[q], number);
    high_[q] = std::max(high_[q], number);
  }
  const Columns& columns = data_.columns;
  for (int j = 0; j < columns.size();) {
    const int feature = columns.feature[j], first = j;
    while (j < columns.size() && columns.feature[j] == feature) ++j;
    const double x = data_.table.at(row, feature);
    if (std::isnan(x)) continue;
    present_[feature].add(weight, 1.0);
    if (columns.level[first] >= 0) {
      column_[first + static_cast<int>(x)].add(weight, 1.0);
      continue;
    }
    largest_[feature] = std::max(largest_[feature], std::abs(x));
    column_[first].add(data_.has_extreme[feature] ? std::ldexp(x, -scale(feature)) : x, weight);
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
  const int feature = data_.columns.feature[column];
  const double present = present_[feature].value();
  if (present == 0.0) return 0.0;
  const int scaled = data_.columns.level[column] < 0 ? scale(feature) : 0;
  return std::ldexp(column_[column].over(present), scaled - exponent);
}

bool NodeFacts::is_pure() const {
  if (!data_.target.has_classes()) return low_ == high_;
  return std::count_if(statistics_.begin(), statistics_.end(),
                       [](const AccurateSum& weight) { return weight.value() > 0.0; }) <= 1;
}

}  // namespace aslant
