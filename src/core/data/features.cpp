#include "data/features.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "support/rng.hpp"

namespace aslant {

namespace {

// Marks the features that hold anything but zero and numbers of moderate size.
bool is_odd(double value) {
  const double size = std::abs(value);
  return !((size < kLarge && size > kSmall) || size == 0.0);
}

template <class T>
void mark_odd(const Table& table, std::vector<char>& odd) {
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

Features::Features(Table table, Columns columns, std::optional<GlobalSurvey> global,
                   std::vector<std::int64_t> number)
    : table_(std::move(table)),
      columns_(std::move(columns)),
      global_(std::move(global)),
      number_(std::move(number)) {
  check_codes();
  if (global_) {
    has_missing_ = global_->has_missing;
    has_extreme_ = global_->has_extreme;
  } else {
    mark_irregular();
  }
  const auto any = [](const std::vector<char>& flags) {
    return std::any_of(flags.begin(), flags.end(), [](char flag) { return flag != 0; });
  };
  any_missing_ = any(has_missing_);
  any_extreme_ = any(has_extreme_);
}

void Features::check_codes() const {
  for (int j = 0; j < columns_.size();) {
    const int feature = columns_.feature[j], first = j;
    while (j < columns_.size() && columns_.feature[j] == feature) ++j;
    if (columns_.level[first] < 0) continue;
    for (std::int64_t row = 0; row < table_.n_rows; ++row) {
      const double code = table_.at(row, feature);
      if (!std::isnan(code) && !(code >= 0.0 && code < j - first && code == std::floor(code)))
        throw std::invalid_argument(
            "a categorical feature holds a value that is not one of its level codes");
    }
  }
}

void Features::mark(int feature, double x) {
  if (std::isnan(x))
    has_missing_[feature] = 1;
  else if (std::isinf(x))
    throw std::invalid_argument("X must not hold infinite values");
  else if (is_odd(x))
    has_extreme_[feature] = 1;
}

void Features::mark_irregular() {
  has_missing_.assign(table_.n_features, 0);
  has_extreme_.assign(table_.n_features, 0);
  if (table_.is_sparse()) {
    for (std::int64_t e = 0; e < table_.n_values(); ++e)
      mark(table_.feature_of[e], table_.value(e));
    return;
  }
  std::vector<char> odd(table_.n_features, 0);
  table_.single_precision ? mark_odd<float>(table_, odd) : mark_odd<double>(table_, odd);
  for (int f = 0; f < table_.n_features; ++f) {
    if (!odd[f]) continue;
    for (std::int64_t row = 0; row < table_.n_rows; ++row) mark(f, table_.at(row, f));
  }
}

std::uint64_t row_key(const Table& table, std::uint32_t row) {
  std::uint64_t key = 0;
  if (table.is_sparse()) {
    for (std::int64_t e = table.row_begin[row]; e < table.row_begin[row + 1]; ++e)
      if (table.value(e) != 0.0)
        key = content_key(key + static_cast<std::uint64_t>(table.feature_of[e]), table.value(e));
    return key;
  }
  for (int f = 0; f < table.n_features; ++f) key = content_key(key, table.at(row, f));
  return key;
}

}  // namespace aslant
