#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "mean.hpp"
#include "rng.hpp"

namespace aslant {

namespace {

// Marks the features that hold anything but zero and numbers of moderate size.
template <class T>
void mark_odd(const Table& table, std::vector<char>& odd) {
  const auto is_odd = [](double value) {
    const double size = std::abs(value);
    return !((size < kLarge && size > kSmall) || size == 0.0);
  };
  const bool by_rows = std::abs(table.row_stride) >= std::abs(table.feature_stride);
  const std::int64_t outer = by_rows ? table.n_rows : table.n_features;
  const std::int64_t inner = by_rows ? table.n_features : table.n_rows;
  const std::ptrdiff_t outer_stride = by_rows ? table.row_stride : table.feature_stride;
  const std::ptrdiff_t inner_stride = by_rows ? table.feature_stride : table.row_stride;
  for (std::int64_t i = 0; i < outer; ++i) {
    const char* place = table.data + i * outer_stride;
    for (std::int64_t j = 0; j < inner; ++j, place += inner_stride)
      if (is_odd(static_cast<double>(*reinterpret_cast<const T*>(place)))) odd[by_rows ? j : i] = 1;
  }
}

}  // namespace

void Data::survey() {
  if (whole) {
    has_missing = whole->has_missing;
    has_extreme = whole->has_extreme;
    return;
  }
  has_missing.assign(table.n_features, 0);
  has_extreme.assign(table.n_features, 0);
  std::vector<int> n_levels(table.n_features, 0);
  for (int j = 0; j < columns.size(); ++j)
    if (columns.level[j] >= 0) ++n_levels[columns.feature[j]];
  std::vector<char> odd(table.n_features, 0);
  table.single_precision ? mark_odd<float>(table, odd) : mark_odd<double>(table, odd);
  for (int f = 0; f < table.n_features; ++f) {
    if (!odd[f] && n_levels[f] == 0) continue;
    for (std::int64_t row = 0; row < table.n_rows; ++row) {
      const double x = table.at(row, f), size = std::abs(x);
      if (std::isnan(x)) {
        has_missing[f] = 1;
      } else if (n_levels[f] > 0) {
        if (!(x >= 0.0 && x < n_levels[f] && x == std::floor(x)))
          throw std::invalid_argument(
              "a categorical feature holds a value that is not one of its level codes");
      } else if (std::isinf(x)) {
        throw std::invalid_argument("X must not hold infinite values");
      } else if (size != 0.0 && !(size < kLarge && size > kSmall)) {
        has_extreme[f] = 1;
      }
    }
  }
}

Problem::Problem(std::shared_ptr<const Data> data, const Rules& rules)
    : data_(std::move(data)), rules_(rules), rows_(data_->table.n_rows) {
  std::iota(rows_.begin(), rows_.end(), 0u);
}

Problem::Problem(std::shared_ptr<const Data> data, const std::vector<std::uint32_t>& rows,
                 const Rules& rules)
    : data_(std::move(data)), rules_(rules), times_(data_->table.n_rows, 0) {
  std::uint32_t most = 0;
  for (std::uint32_t row : rows) most = std::max(most, ++times_[row]);
  for (std::uint32_t row = 0; row < times_.size(); ++row)
    if (times_[row] > 0) rows_.push_back(row);
  if (most <= 1) times_.clear();
}

std::vector<double> Problem::statistics(const std::uint32_t* rows, std::size_t n) const {
  const Target& target = data_->target;
  std::vector<double> sums(target.width(), 0.0);
  if (target.has_classes() && target.weight.empty() && times_.empty()) {
    for (std::size_t i = 0; i < n; ++i) sums[target.label[rows[i]]] += 1.0;
    return sums;
  }
  if (!target.has_classes() || !target.countable) {
    std::vector<AccurateSum> accurate(sums.size());
    for (std::size_t i = 0; i < n; ++i) target.add(rows[i], weight_of(rows[i]), accurate.data());
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = accurate[k].value();
    return sums;
  }
  for (std::size_t i = 0; i < n; ++i)
    sums[target.label[rows[i]]] +=
        (target.times.empty() ? 1.0 : target.times[rows[i]]) * times(rows[i]);
  if (!target.unit.empty())
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] *= target.unit[k];
  return sums;
}

template <class Visit>
void Problem::for_each_present(int j, const Visit& visit) const {
  const Columns& columns = data_->columns;
  for (std::uint32_t row : rows_) {
    const double x = data_->table.at(row, columns.feature[j]);
    if (std::isnan(x)) continue;
    visit(columns.level[j] < 0 ? x : (x == columns.level[j] ? 1.0 : 0.0), weight_of(row));
  }
}

// Sums and squares of extreme values would overflow: they are taken of values / 2^exponent.
int Problem::exponent_of(int j) const {
  if (!data_->has_extreme[data_->columns.feature[j]]) return 0;
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
  if (data_->whole && !data_->whole->training_mean.empty())
    return data_->whole->training_mean[column];
  std::call_once(means_known_, [this] {
    for (int j = 0; j < data_->columns.size(); ++j) {
      const int exponent = exponent_of(j);
      training_mean_.push_back(std::ldexp(mean_of_present(j, exponent), exponent));
    }
  });
  return training_mean_[column];
}

double Problem::cases() const {
  if (data_->whole && data_->whole->cases > 0.0) return data_->whole->cases;
  std::call_once(cases_known_, [this] {
    double weight = 0.0;
    for (std::uint32_t row : rows_) weight += weight_of(row);
    cases_ = std::max(weight, static_cast<double>(rows_.size()));
  });
  return cases_;
}

const TrainingSpread& Problem::spread() const {
  if (data_->whole && !data_->whole->spread.deviation.empty()) return data_->whole->spread;
  std::call_once(spread_known_, [this] {
    for (int j = 0; j < data_->columns.size(); ++j)
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

std::uint64_t row_key(const Table& table, std::uint32_t row) {
  std::uint64_t key = 0;
  for (int f = 0; f < table.n_features; ++f) key = content_key(key, table.at(row, f));
  return key;
}

// By a key of 64 bits: it only steers searches, so that two rows in 2^64 may share one.
std::size_t Problem::count_distinct_rows() const {
  const Table& table = data_->table;
  std::vector<std::uint64_t> keys;
  keys.reserve(rows_.size());
  for (std::uint32_t row : rows_) {
    keys.push_back(row_key(table, row));
  }
  std::sort(keys.begin(), keys.end());
  return std::unique(keys.begin(), keys.end()) - keys.begin();
}

}  // namespace aslant
