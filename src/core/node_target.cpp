#include "node_target.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace aslant {

NodeTarget::NodeTarget(const Problem& problem, const std::uint32_t* rows, std::size_t n_rows,
                       std::vector<double> statistics)
    : n_rows_(n_rows),
      n_classes_(problem.data().target.has_classes() ? problem.data().target.n_classes : 0),
      criterion_(problem.rules().criterion),
      statistics_(std::move(statistics)) {
  const Target& target = problem.data().target;
  if (!target.weight.empty() || problem.repeats()) {
    weight_.resize(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) weight_[i] = problem.weight_of(rows[i]);
  }
  if (has_classes()) {
    label_.resize(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) label_[i] = target.label[rows[i]];
    countable_ = target.countable;
    if (countable_ && (!target.times.empty() || problem.repeats())) {
      times_.resize(n_rows);
      for (std::size_t i = 0; i < n_rows; ++i)
        times_[i] = (target.times.empty() ? 1 : target.times[rows[i]]) * problem.times(rows[i]);
      const double all = std::accumulate(times_.begin(), times_.end(), 0.0);
      countable_ = all <= std::numeric_limits<std::int32_t>::max();  // what bins can count
      if (!countable_) times_.clear();
    }
    unit_ = target.unit;
  } else {
    const auto outputs = static_cast<std::size_t>(target.n_outputs);
    number_.resize(n_rows * outputs);
    for (std::size_t i = 0; i < n_rows; ++i)
      std::copy_n(&target.number[rows[i] * outputs], outputs, &number_[i * outputs]);
  }
  sum_weights();
}

NodeTarget::NodeTarget(const NodeTarget& other, const std::vector<std::uint32_t>& rows)
    : n_rows_(rows.size()),
      n_classes_(other.n_classes_),
      criterion_(other.criterion_),
      countable_(other.countable_),
      unit_(other.unit_),
      statistics_(other.statistics_.size(), 0.0) {
  const std::size_t outputs = other.statistics_.size() - 1;
  std::vector<AccurateSum> sums(statistics_.size());
  for (std::uint32_t row : rows) {
    if (!other.weight_.empty()) weight_.push_back(other.weight_[row]);
    if (!other.times_.empty()) times_.push_back(other.times_[row]);
    if (has_classes())
      label_.push_back(other.label_[row]);
    else
      number_.insert(number_.end(), &other.number_[row * outputs],
                     &other.number_[row * outputs] + outputs);
    other.add(row, sums.data());
  }
  for (std::size_t k = 0; k < sums.size(); ++k) statistics_[k] = sums[k].value();
  sum_weights();
}

NodeTarget::NodeTarget(const NodeTarget& other, std::vector<std::int32_t> label, int n_classes,
                       CriterionKind criterion)
    : n_rows_(other.n_rows_),
      n_classes_(n_classes),
      criterion_(criterion),
      label_(std::move(label)),
      weight_(other.weight_),
      countable_(other.weight_.empty()),
      statistics_(n_classes, 0.0) {
  for (std::size_t i = 0; i < n_rows_; ++i) statistics_[label_[i]] += weight_of(i);
  sum_weights();
}

void NodeTarget::sum_weights() {
  if (has_classes()) {
    for (double weight : statistics_) total_weight_ += weight;
    number_present_classes();
  } else {
    total_weight_ = statistics_[0];
    prepare_numbers(criterion_);
  }
}

// Deep in a tree few of many classes are left, and sweeps take as long as there are classes.
void NodeTarget::number_present_classes() {
  std::vector<std::int32_t> number(n_classes_, -1);
  for (int k = 0; k < n_classes_; ++k) {
    if (!(statistics_[k] > 0.0)) continue;
    number[k] = static_cast<std::int32_t>(sweep_total_.size());
    sweep_total_.push_back(statistics_[k]);
    if (!unit_.empty()) present_unit_.push_back(unit_[k]);
  }
  if (static_cast<int>(sweep_total_.size()) == n_classes_) return;
  present_label_.resize(n_rows_);
  for (std::size_t i = 0; i < n_rows_; ++i) present_label_[i] = number[label_[i]];
}

// Near the mean, in so few digits that distances from it, and sums of them, are exact if the
// numbers have few digits themselves: then scores that are equal are equal to the last bit, in
// whatever order rows are summed and whether copies are weighted or repeated.
double round_number_near(double mean, double largest_distance) {
  constexpr int kDigits = 20;  // binary
  if (!(largest_distance > 0.0)) return mean;
  const int exponent = std::ilogb(largest_distance) - kDigits;
  return std::ldexp(std::round(std::ldexp(mean, -exponent)), exponent);
}

void NodeTarget::prepare_numbers(CriterionKind criterion) {
  sweep_total_ = statistics_;
  if (criterion != CriterionKind::squared_error || !(total_weight_ > 0.0)) return;
  const std::size_t outputs = statistics_.size() - 1;
  centred_.resize(number_.size());
  std::fill(sweep_total_.begin() + 1, sweep_total_.end(), 0.0);
  for (std::size_t q = 0; q < outputs; ++q) {
    const double mean = statistics_[q + 1] / total_weight_;
    double largest = 0.0;
    for (std::size_t i = 0; i < n_rows_; ++i)
      largest = std::max(largest, std::abs(number_[i * outputs + q] - mean));
    const double centre = round_number_near(mean, largest);
    for (std::size_t i = 0; i < n_rows_; ++i) {
      const std::size_t place = i * outputs + q;
      centred_[place] = number_[place] - centre;
      sweep_total_[q + 1] += weight_of(i) * centred_[place];
    }
  }
}

const std::vector<std::int32_t>& NodeTarget::label() const {
  if (!has_classes()) throw std::invalid_argument("this search needs classes, not numbers");
  return label_;
}

const std::vector<double>& NodeTarget::class_weight() const {
  label();
  return statistics_;
}

double NodeTarget::classes_present() const {
  label();
  return static_cast<double>(sweep_total_.size());
}

SweepRows NodeTarget::sweep_rows() const {
  SweepRows rows;
  rows.n = n_rows_;
  rows.total = sweep_total_.data();
  rows.width = static_cast<int>(sweep_total_.size());
  rows.weight = weight_.empty() ? nullptr : weight_.data();
  if (has_classes()) {
    rows.label = present_label_.empty() ? label_.data() : present_label_.data();
    rows.countable = countable_;
    rows.times = times_.empty() ? nullptr : times_.data();
    rows.unit = present_unit_.empty() ? nullptr : present_unit_.data();
  } else {
    rows.number = centred_.empty() ? number_.data() : centred_.data();
  }
  return rows;
}

}  // namespace aslant
