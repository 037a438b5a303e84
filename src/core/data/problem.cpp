#include "data/problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "support/mean.hpp"
#include "support/rng.hpp"

namespace aslant {

Problem::Problem(std::shared_ptr<const Features> features, std::shared_ptr<const Target> target,
                 const Rules& rules)
    : features_(std::move(features)),
      target_(std::move(target)),
      rules_(rules),
      rows_(target_->n_rows()) {
  std::iota(rows_.begin(), rows_.end(), 0u);
}

Problem::Problem(std::shared_ptr<const Features> features, std::shared_ptr<const Target> target,
                 const std::vector<std::uint32_t>& rows, const Rules& rules)
    : features_(std::move(features)),
      target_(std::move(target)),
      rules_(rules),
      times_(target_->n_rows(), 0) {
  std::uint32_t most = 0;
  for (std::uint32_t row : rows) most = std::max(most, ++times_[row]);
  for (std::uint32_t row = 0; row < times_.size(); ++row)
    if (times_[row] > 0) rows_.push_back(row);
  if (most <= 1) times_.clear();
}

template <class Visit>
void Problem::for_each_present(int j, const Visit& visit) const {
  const Columns& columns = features_->columns();
  for (std::uint32_t row : rows_) {
    const double x = features_->table().at(row, columns.feature[j]);
    if (std::isnan(x)) continue;
    visit(columns.level[j] < 0 ? x : (x == columns.level[j] ? 1.0 : 0.0), weight_of(row));
  }
}

// Sums and squares of extreme values would overflow: they are taken of values / 2^exponent.
int Problem::exponent_of(int j) const {
  if (!features_->has_extreme(features_->columns().feature[j])) return 0;
  double largest = 0.0;
  for_each_present(j, [&](double value, double) { largest = std::fmax(largest, std::abs(value)); });
  return largest > 0.0 ? std::ilogb(largest) : 0;
}

double Problem::mean_of_present(int j, int exponent) const {
  WeightedMean present;
  for_each_present(j, [&](double value, double weight) {
    present.add(exponent == 0 ? value : std::ldexp(value, -exponent), weight);
  });
  return present.mean();
}

double Problem::training_mean(int column) const {
  if (features_->global() && !features_->global()->training_mean.empty())
    return features_->global()->training_mean[column];
  std::call_once(means_known_, [this] {
    if (features_->table().is_sparse()) return find_sparse_means();
    const Columns& columns = features_->columns();
    for (int j = 0; j < columns.size(); j = static_cast<int>(training_mean_.size())) {
      if (columns.level[j] >= 0) {
        append_level_shares(j);
        continue;
      }
      const int exponent = exponent_of(j);
      training_mean_.push_back(std::ldexp(mean_of_present(j, exponent), exponent));
    }
  });
  return training_mean_[column];
}

// One pass over the values; zeros add nothing but their weight.
void Problem::find_sparse_means() const {
  const Table& table = features_->table();
  std::vector<AccurateSum> sum(table.n_features), missing(table.n_features);
  AccurateSum all;
  for (std::uint32_t row : rows_) {
    all.add(weight_of(row), 1.0);
    for (std::int64_t e = table.row_begin[row]; e < table.row_begin[row + 1]; ++e) {
      const double x = table.value(e);
      if (std::isnan(x))
        missing[table.feature_of[e]].add(weight_of(row), 1.0);
      else
        sum[table.feature_of[e]].add(x, weight_of(row));
    }
  }
  for (int f = 0; f < table.n_features; ++f) {
    const double present = all.value() - missing[f].value();
    const int exponent = exponent_of(f);  // sums of extreme values would overflow
    training_mean_.push_back(exponent != 0   ? std::ldexp(mean_of_present(f, exponent), exponent)
                             : present > 0.0 ? sum[f].over(present)
                                             : 0.0);
  }
}

double Problem::cases() const {
  if (target_->global_cases() > 0.0) return target_->global_cases();
  std::call_once(cases_known_, [this] {
    double weight = 0.0;
    for (std::uint32_t row : rows_) weight += weight_of(row);
    cases_ = std::max(weight, static_cast<double>(rows_.size()));
  });
  return cases_;
}

// The means of the indicators of a category, whose first column this is.
void Problem::append_level_shares(int first) const {
  const std::vector<std::int32_t>& feature = features_->columns().feature;
  const auto n_levels = std::count(feature.begin() + first, feature.end(), feature[first]);
  const LevelWeights weights = level_weights(rows_, static_cast<int>(n_levels), [&](std::size_t i) {
    const double code = features_->table().at(rows_[i], feature[first]);
    return std::isnan(code) ? -1 : static_cast<std::int32_t>(code);
  });
  const double present = weights.present.value();
  for (const AccurateSum& level : weights.level)
    training_mean_.push_back(present == 0.0 ? 0.0 : level.over(present));
}

const TrainingSpread& Problem::spread() const {
  if (features_->global() && !features_->global()->spread.deviation.empty())
    return features_->global()->spread;
  std::call_once(spread_known_, [this] {
    for (int j = 0; j < features_->columns().size(); ++j)
      spread_.deviation.push_back(deviation_of_present(j));
    spread_.distinct_rows = count_distinct_rows();
  });
  return spread_;
}

double Problem::deviation_of_present(int j) const {
  const int exponent = exponent_of(j);
  const double mean = mean_of_present(j, exponent);
  WeightedMean squares;
  for_each_present(j, [&](double value, double weight) {
    const double distance = (exponent == 0 ? value : std::ldexp(value, -exponent)) - mean;
    squares.add(distance * distance, weight);
  });
  return std::ldexp(std::sqrt(squares.mean()), exponent);
}

// By a key of 64 bits: it only steers searches, so that two rows in 2^64 may share one.
std::size_t Problem::count_distinct_rows() const {
  const Table& table = features_->table();
  std::vector<std::uint64_t> keys;
  keys.reserve(rows_.size());
  for (std::uint32_t row : rows_) {
    keys.push_back(row_key(table, row));
  }
  std::sort(keys.begin(), keys.end());
  return std::unique(keys.begin(), keys.end()) - keys.begin();
}

}  // namespace aslant
