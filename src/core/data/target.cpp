#include "data/target.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/problem.hpp"

namespace aslant {

namespace {

constexpr double kMostTimes = 1 << 20;

bool is_count(double value) {
  return value == std::floor(value) && value <= kMostTimes;
}

template <class Kind>
std::vector<double> accurate_statistics(const Kind& target, const Problem& problem,
                                        const std::uint32_t* rows, std::size_t n) {
  std::vector<AccurateSum> accurate(target.width());
  for (std::size_t i = 0; i < n; ++i)
    target.add(rows[i], problem.weight_of(rows[i]), accurate.data());
  std::vector<double> sums;
  for (const AccurateSum& sum : accurate) sums.push_back(sum.value());
  return sums;
}

}  // namespace

// ---------------------------------------------------------------- classes

ClassTarget::ClassTarget(std::vector<std::int32_t> labels, int n_classes,
                         std::vector<double> weight)
    : Target(static_cast<std::int64_t>(labels.size()), std::move(weight)),
      n_classes_(n_classes),
      label_(std::move(labels)) {
  find_units();
}

// Takes the units that were found for all weights, of which these are some.
ClassTarget::ClassTarget(std::vector<std::int32_t> labels, int n_classes,
                         std::vector<double> weight, const GlobalWeights& global)
    : Target(static_cast<std::int64_t>(labels.size()), std::move(weight)),
      n_classes_(n_classes),
      label_(std::move(labels)),
      countable_(global.countable) {
  global_cases_ = global.cases;
  if (!countable_ || weight_.empty()) return;
  unit_ = global.unit;
  times_.resize(weight_.size());
  for (std::size_t i = 0; i < weight_.size(); ++i)
    times_[i] = static_cast<std::uint32_t>(weight_[i] / (unit_.empty() ? 1.0 : unit_[label_[i]]));
}

// The unit of a class is 1 if all its weights are integers, else the smallest of them.
void ClassTarget::find_units() {
  if (weight_.empty()) return;
  std::vector<double> smallest(n_classes_, std::numeric_limits<double>::infinity());
  std::vector<char> integers(n_classes_, 1);
  for (std::size_t i = 0; i < weight_.size(); ++i) {
    if (weight_[i] > 0.0) smallest[label_[i]] = std::fmin(smallest[label_[i]], weight_[i]);
    if (!is_count(weight_[i])) integers[label_[i]] = 0;
  }
  unit_.assign(n_classes_, 1.0);
  for (int k = 0; k < n_classes_; ++k)
    if (!integers[k]) unit_[k] = smallest[k];
  times_.resize(weight_.size());
  for (std::size_t i = 0; i < weight_.size(); ++i) {
    const double count = weight_[i] / unit_[label_[i]];
    if (!is_count(count) || count * unit_[label_[i]] != weight_[i]) {
      countable_ = false;
      times_.clear();
      unit_.clear();
      return;
    }
    times_[i] = static_cast<std::uint32_t>(count);
  }
  if (std::all_of(times_.begin(), times_.end(), [](std::uint32_t one) { return one == 1; }))
    times_.clear();
}

std::vector<double> ClassTarget::statistics(const Problem& problem, const std::uint32_t* rows,
                                            std::size_t n) const {
  if (!countable_) return accurate_statistics(*this, problem, rows, n);
  std::vector<double> sums(n_classes_, 0.0);
  if (times_.empty() && !problem.repeats())
    for (std::size_t i = 0; i < n; ++i) sums[label_[rows[i]]] += 1.0;
  else
    for (std::size_t i = 0; i < n; ++i)
      sums[label_[rows[i]]] += (times_.empty() ? 1.0 : times_[rows[i]]) * problem.times(rows[i]);
  for (std::size_t k = 0; k < unit_.size(); ++k) sums[k] *= unit_[k];
  return sums;
}

bool ClassTarget::is_pure(const double* statistics, const std::uint32_t*, std::size_t) const {
  return std::count_if(statistics, statistics + n_classes_,
                       [](double weight) { return weight > 0.0; }) <= 1;
}

double ClassTarget::impurity(const Problem& problem, const double* statistics, const std::uint32_t*,
                             std::size_t) const {
  return aslant::impurity(problem.rules().criterion, statistics, n_classes_);
}

ClassTarget ClassTarget::balanced(const std::vector<std::uint32_t>& rows) const {
  std::vector<double> in_class(n_classes_, 0.0);
  for (std::uint32_t row : rows) in_class[label_[row]] += 1.0;
  const auto present = static_cast<double>(
      std::count_if(in_class.begin(), in_class.end(), [](double n) { return n > 0.0; }));
  std::vector<double> weight = weight_;
  if (weight.empty()) weight.assign(label_.size(), 1.0);
  for (std::size_t i = 0; i < label_.size(); ++i) {
    const double rows_there = in_class[label_[i]];
    if (rows_there > 0.0) weight[i] *= static_cast<double>(rows.size()) / (present * rows_there);
  }
  return {label_, n_classes_, std::move(weight)};
}

// ---------------------------------------------------------------- regression

RegressionTarget::RegressionTarget(std::vector<double> values, int n_outputs,
                                   std::vector<double> weight, const GlobalWeights& global)
    : Target(static_cast<std::int64_t>(values.size()) / n_outputs, std::move(weight)),
      n_outputs_(n_outputs),
      value_(std::move(values)) {
  global_cases_ = global.cases;
}

std::vector<double> RegressionTarget::statistics(const Problem& problem, const std::uint32_t* rows,
                                                 std::size_t n) const {
  return accurate_statistics(*this, problem, rows, n);
}

// The impurity tells it only up to rounding.
bool RegressionTarget::is_pure(const double*, const std::uint32_t* rows, std::size_t n) const {
  for (std::size_t i = 1; i < n; ++i)
    if (!std::equal(values(rows[0]), values(rows[0]) + n_outputs_, values(rows[i]))) return false;
  return true;
}

double RegressionTarget::impurity(const Problem& problem, const double* statistics,
                                  const std::uint32_t* rows, std::size_t n) const {
  std::vector<double> means;
  for (int q = 0; q < n_outputs_; ++q) means.push_back(statistics[q + 1] / statistics[0]);
  return std::max(0.0, impurity_sum(problem, means, rows, n).value() / statistics[0]);
}

AccurateSum RegressionTarget::impurity_sum(const Problem& problem, const std::vector<double>& means,
                                           const std::uint32_t* rows, std::size_t n) const {
  AccurateSum sum;
  with_regression_type(problem.rules().criterion, [&](auto type) {
    using Criterion = typename decltype(type)::type;
    for (std::size_t i = 0; i < n; ++i)
      for (int q = 0; q < n_outputs_; ++q)
        sum.add(Criterion::loss(values(rows[i])[q], means[q]), problem.weight_of(rows[i]));
  });
  return sum;
}

}  // namespace aslant
