#include "node/node_target.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace aslant {

const ClassNodeTarget& NodeTarget::classes() const {
  throw std::invalid_argument("this search needs classes, not regression targets");
}

const RegressionNodeTarget& NodeTarget::regression() const {
  throw std::invalid_argument("this search needs regression targets, not classes");
}

std::shared_ptr<const NodeTarget> node_target(const Problem& problem, const std::uint32_t* rows,
                                              std::size_t n_rows, const double* statistics) {
  if (problem.target().classes()) {
    auto classes = std::make_shared<ClassNodeTarget>();
    classes->assign(problem, rows, n_rows, statistics);
    return classes;
  }
  auto regression = std::make_shared<RegressionNodeTarget>();
  regression->assign(problem, rows, n_rows, statistics);
  return regression;
}

void NodeTarget::set_rows(const Problem& problem, const std::uint32_t* rows, std::size_t n_rows,
                          const double* statistics) {
  const Target& target = problem.target();
  n_rows_ = n_rows;
  statistics_.assign(statistics, statistics + target.width());
  total_weight_ = target.weight_in(statistics);
  weight_.clear();
  if (target.weight().empty() && !problem.repeats()) return;
  weight_.resize(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) weight_[i] = problem.weight_of(rows[i]);
}

// ---------------------------------------------------------------- classes

void ClassNodeTarget::assign(const Problem& problem, const std::uint32_t* rows, std::size_t n_rows,
                             const double* statistics) {
  const ClassTarget& target = *problem.target().classes();
  set_rows(problem, rows, n_rows, statistics);
  label_.resize(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) label_[i] = target.label()[rows[i]];
  countable_ = target.countable();
  times_.clear();
  if (countable_ && (!target.times().empty() || problem.repeats())) {
    times_.resize(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i)
      times_[i] = (target.times().empty() ? 1 : target.times()[rows[i]]) * problem.times(rows[i]);
    const double all = std::accumulate(times_.begin(), times_.end(), 0.0);
    countable_ = all <= std::numeric_limits<std::int32_t>::max();  // bins count in 32 bits
    if (!countable_) times_.clear();
  }
  unit_ = target.unit();
  number_present_classes();
}

void ClassNodeTarget::relabel(const NodeTarget& other, std::vector<std::int32_t> label,
                              int n_classes) {
  n_rows_ = other.n_rows();
  weight_ = other.weight();
  label_ = std::move(label);
  countable_ = weight_.empty();
  statistics_.assign(n_classes, 0.0);
  for (std::size_t i = 0; i < n_rows_; ++i) statistics_[label_[i]] += weight_of(i);
  total_weight_ = weight_in(statistics_.data());
  number_present_classes();
}

std::shared_ptr<const NodeTarget> ClassNodeTarget::sampled(
    const std::vector<std::uint32_t>& rows) const {
  auto some = std::make_shared<ClassNodeTarget>();
  some->n_rows_ = rows.size();
  some->countable_ = countable_;
  some->unit_ = unit_;
  std::vector<AccurateSum> sums(statistics_.size());
  for (std::uint32_t row : rows) {
    if (!weight_.empty()) some->weight_.push_back(weight_[row]);
    if (!times_.empty()) some->times_.push_back(times_[row]);
    some->label_.push_back(label_[row]);
    add(row, sums.data());
  }
  for (const AccurateSum& sum : sums) some->statistics_.push_back(sum.value());
  some->total_weight_ = weight_in(some->statistics_.data());
  some->number_present_classes();
  return some;
}

// Deep nodes have few of many classes, and sweeps cost time per class.
void ClassNodeTarget::number_present_classes() {
  code_.assign(statistics_.size(), -1);
  sweep_total_.clear();
  present_unit_.clear();
  present_label_.clear();
  for (std::size_t k = 0; k < statistics_.size(); ++k) {
    if (!(statistics_[k] > 0.0)) continue;
    code_[k] = static_cast<std::int32_t>(sweep_total_.size());
    sweep_total_.push_back(statistics_[k]);
    if (!unit_.empty()) present_unit_.push_back(unit_[k]);
  }
  if (sweep_total_.size() == statistics_.size()) return;
  present_label_.resize(n_rows_);
  for (std::size_t i = 0; i < n_rows_; ++i) present_label_[i] = code_[label_[i]];
}

SweepRows ClassNodeTarget::sweep_rows() const {
  SweepRows rows;
  rows.n = n_rows_;
  rows.total = sweep_total_.data();
  rows.width = static_cast<int>(sweep_total_.size());
  rows.weight = weight_.empty() ? nullptr : weight_.data();
  rows.label = present_label_.empty() ? label_.data() : present_label_.data();
  rows.countable = countable_;
  rows.times = times_.empty() ? nullptr : times_.data();
  rows.unit = present_unit_.empty() ? nullptr : present_unit_.data();
  return rows;
}

bool ClassNodeTarget::separates(const Part& child0) const {
  int classes0 = 0, classes1 = 0;
  for (std::size_t k = 0; k < statistics_.size(); ++k) {
    classes0 += child0.statistics[k] > 0.0;
    classes1 += statistics_[k] - child0.statistics[k] > 0.0;
  }
  return classes0 == 1 && classes1 == 1;
}

double ClassNodeTarget::accuracy(const std::vector<Part>& children) const {
  double correct = 0.0;
  for (const Part& child : children)
    correct += *std::max_element(child.statistics.begin(), child.statistics.end());
  return correct / total_weight_;
}

// ---------------------------------------------------------------- regression

void RegressionNodeTarget::assign(const Problem& problem, const std::uint32_t* rows,
                                  std::size_t n_rows, const double* statistics) {
  const RegressionTarget& target = *problem.target().regression();
  set_rows(problem, rows, n_rows, statistics);
  centers_ = centers_targets(problem.rules().criterion);
  const auto outputs = static_cast<std::size_t>(target.n_outputs());
  value_.resize(n_rows * outputs);
  for (std::size_t i = 0; i < n_rows; ++i)
    std::copy_n(target.values(rows[i]), outputs, &value_[i * outputs]);
  center();
}

std::shared_ptr<const NodeTarget> RegressionNodeTarget::sampled(
    const std::vector<std::uint32_t>& rows) const {
  auto some = std::make_shared<RegressionNodeTarget>();
  some->n_rows_ = rows.size();
  some->centers_ = centers_;
  std::vector<AccurateSum> sums(statistics_.size());
  for (std::uint32_t row : rows) {
    if (!weight_.empty()) some->weight_.push_back(weight_[row]);
    some->value_.insert(some->value_.end(), values(row), values(row) + n_outputs());
    add(row, sums.data());
  }
  for (const AccurateSum& sum : sums) some->statistics_.push_back(sum.value());
  some->total_weight_ = some->statistics_[0];
  some->center();
  return some;
}

// Rounded near the mean to so few digits that deviations and their sums are exact for targets of
// few digits: equal scores are then equal to the last bit, in any row order and whether copies are
// weighted or repeated.
double round_number_near(double mean, double largest_distance) {
  constexpr int kDigits = 20;  // binary
  if (!(largest_distance > 0.0)) return mean;
  const int exponent = std::ilogb(largest_distance) - kDigits;
  return std::ldexp(std::round(std::ldexp(mean, -exponent)), exponent);
}

void RegressionNodeTarget::center() {
  sweep_total_ = statistics_;
  centred_.clear();
  if (!centers_ || !(total_weight_ > 0.0)) return;
  const std::size_t outputs = statistics_.size() - 1;
  centred_.resize(value_.size());
  std::fill(sweep_total_.begin() + 1, sweep_total_.end(), 0.0);
  for (std::size_t q = 0; q < outputs; ++q) {
    const double mean = statistics_[q + 1] / total_weight_;
    double largest = 0.0;
    for (std::size_t i = 0; i < n_rows_; ++i)
      largest = std::max(largest, std::abs(value_[i * outputs + q] - mean));
    const double centre = round_number_near(mean, largest);
    for (std::size_t i = 0; i < n_rows_; ++i) {
      const std::size_t place = i * outputs + q;
      centred_[place] = value_[place] - centre;
      sweep_total_[q + 1] += weight_of(i) * centred_[place];
    }
  }
}

SweepRows RegressionNodeTarget::sweep_rows() const {
  SweepRows rows;
  rows.n = n_rows_;
  rows.total = sweep_total_.data();
  rows.width = width();
  rows.weight = weight_.empty() ? nullptr : weight_.data();
  rows.target = centred_.empty() ? value_.data() : centred_.data();
  return rows;
}

double RegressionNodeTarget::accuracy(const std::vector<Part>& children) const {
  double squares = 0.0, between = 0.0;
  for (std::size_t i = 0; i < n_rows_; ++i)
    for (int q = 0; q < n_outputs(); ++q) {
      const double distance = values(i)[q] - mean(q);
      squares += weight_of(i) * distance * distance;
    }
  for (const Part& child : children) {
    if (child.rows == 0) continue;
    for (int q = 0; q < n_outputs(); ++q) {
      const double sum = child.statistics[q + 1] - child.statistics[0] * mean(q);
      between += sum * sum / child.statistics[0];
    }
  }
  return squares > 0.0 ? between / squares : 1.0;
}

}  // namespace aslant
