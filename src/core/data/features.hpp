// The features of all rows, surveyed once, whatever number of trees is grown on them.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "data/stored_columns.hpp"
#include "data/table.hpp"

namespace aslant {

// Values beyond these, in size, are scaled before they are multiplied: see TableColumns.
constexpr double kLarge = 1e100, kSmall = 1e-100;

// How the training rows spread.
struct TrainingSpread {
  std::vector<double> deviation;  // of each column's present values
  std::size_t distinct_rows = 0;
};

// What is known of the features of all rows, where these rows are only some of them: a tree that is
// grown in pieces looks at each of them as it would look at all rows.
struct GlobalSurvey {
  std::vector<char> has_missing, has_extreme;  // per feature
  std::vector<int> exponent;                   // of the largest value of each feature
  std::vector<double> training_mean;           // per column; empty: that of the problem's rows
  TrainingSpread spread;                       // empty: that of the problem's rows
};

class Features {
 public:
  // Looks at every value once, in the order in which they lie in memory. Throws
  // std::invalid_argument if one is infinite, or is not a level of its category.
  Features(Table table, Columns columns, std::optional<GlobalSurvey> global = std::nullopt,
           std::vector<std::int64_t> number = {});

  const Table& table() const { return table_; }
  const Columns& columns() const { return columns_; }
  const std::optional<GlobalSurvey>& global() const { return global_; }

  bool has_missing(int feature) const { return has_missing_[feature] != 0; }
  bool has_extreme(int feature) const { return has_extreme_[feature] != 0; }
  bool any_missing() const { return any_missing_; }
  bool any_extreme() const { return any_extreme_; }

  // Whether a column is a number with missing or extreme values.
  bool is_irregular(int column) const {
    const int feature = columns_.feature[column];
    return columns_.level[column] < 0 && (has_missing(feature) || has_extreme(feature));
  }

  // A sparse table by columns, made when first asked for.
  const StoredColumns& stored_columns() const {
    std::call_once(columns_stored_, [this] { stored_columns_.emplace(table_); });
    return *stored_columns_;
  }

  // The number of a row among all rows, whichever part of them this is.
  std::uint64_t number_of(std::uint32_t row) const {
    return number_.empty() ? row : static_cast<std::uint64_t>(number_[row]);
  }

 private:
  void check_codes() const;
  void mark_irregular();
  void mark(int feature, double value);

  Table table_;
  Columns columns_;
  std::optional<GlobalSurvey> global_;
  std::vector<std::int64_t> number_;             // empty: its position
  std::vector<char> has_missing_, has_extreme_;  // per feature
  bool any_missing_ = false, any_extreme_ = false;
  mutable std::once_flag columns_stored_;
  mutable std::optional<StoredColumns> stored_columns_;
};

// The key of a row by its content.
std::uint64_t row_key(const Table& table, std::uint32_t row);

}  // namespace aslant
