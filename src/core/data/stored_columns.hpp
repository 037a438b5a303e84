// A sparse table by columns, and the positions of a node's rows in it.
#pragma once

#include <cstdint>
#include <vector>

#include "data/table.hpp"
#include "support/workspace.hpp"

namespace aslant {

// The stored values of a sparse table, feature by feature.
class StoredColumns {
 public:
  explicit StoredColumns(const Table& table) : start_(table.n_features + 1, 0) {
    const std::int64_t n_values = table.n_values();
    for (std::int64_t e = 0; e < n_values; ++e) ++start_[table.feature_of[e] + 1];
    for (int f = 0; f < table.n_features; ++f) start_[f + 1] += start_[f];
    rows_.resize(n_values);
    values_.resize(n_values);
    std::vector<std::int64_t> next = start_;
    for (std::int64_t row = 0; row < table.n_rows; ++row)
      for (std::int64_t e = table.row_begin[row]; e < table.row_begin[row + 1]; ++e) {
        const std::int64_t place = next[table.feature_of[e]]++;
        rows_[place] = static_cast<std::uint32_t>(row);
        values_[place] = table.value(e);
      }
  }

  // The entries of a feature, by ascending row, are those from begin to end.
  std::int64_t begin(int feature) const { return start_[feature]; }
  std::int64_t end(int feature) const { return start_[feature + 1]; }
  std::uint32_t row(std::int64_t e) const { return rows_[e]; }
  double value(std::int64_t e) const { return values_[e]; }

 private:
  std::vector<std::int64_t> start_;
  std::vector<std::uint32_t> rows_;
  std::vector<double> values_;
};

// Where each row of the table is among some of them. A thread uses one at a time.
class RowPositions {
 public:
  RowPositions(const std::uint32_t* rows, std::size_t n_rows, std::int64_t n_all)
      : rows_(rows), n_rows_(n_rows) {
    std::vector<std::uint32_t>& position = Workspace::get<Buffers>().position;
    if (position.size() < static_cast<std::size_t>(n_all)) position.resize(n_all, 0);
    position_ = position.data();
    for (std::size_t i = 0; i < n_rows; ++i) position[rows[i]] = static_cast<std::uint32_t>(i);
  }

  std::uint32_t of(std::uint32_t row) const { return position_[row]; }  // valid if it is present
  // Other rows keep positions of earlier nodes, which hold another row here.
  bool has(std::uint32_t row) const {
    return position_[row] < n_rows_ && rows_[position_[row]] == row;
  }

 private:
  struct Buffers {
    std::vector<std::uint32_t> position;  // by row of the table
  };

  const std::uint32_t* rows_;
  std::size_t n_rows_;
  const std::uint32_t* position_;
};

}  // namespace aslant
