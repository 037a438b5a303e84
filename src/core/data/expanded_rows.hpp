// Rows of a sparse table, written out a few at a time as a dense table: every test and every layout
// of prediction reads them like any other.
#pragma once

#include <vector>

#include "data/table.hpp"

namespace aslant {

class ExpandedRows {
 public:
  ExpandedRows(const Table& table, int most_rows)
      : table_(table),
        values_(static_cast<std::size_t>(most_rows) * table.n_features, 0.0),
        rows_(most_rows, -1) {
    expanded_.data = reinterpret_cast<const char*>(values_.data());
    expanded_.n_rows = most_rows;
    expanded_.n_features = table.n_features;
    expanded_.feature_stride = sizeof(double);
    expanded_.row_stride = static_cast<std::ptrdiff_t>(sizeof(double)) * table.n_features;
  }

  // The i-th of n rows is row_of(i) of the sparse table. Valid until the next call; it costs the
  // values of these rows and of those before them.
  template <class RowOf>
  const Table& expand(int n, const RowOf& row_of) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i] >= 0) put(i, rows_[i], false);
      rows_[i] =
          static_cast<int>(i) < n ? static_cast<std::int64_t>(row_of(static_cast<int>(i))) : -1;
      if (rows_[i] >= 0) put(i, rows_[i], true);
    }
    return expanded_;
  }

 private:
  void put(std::size_t i, std::int64_t row, bool is_read) {
    double* out = values_.data() + i * table_.n_features;
    for (std::int64_t e = table_.row_begin[row]; e < table_.row_begin[row + 1]; ++e)
      out[table_.feature_of[e]] = is_read ? table_.value(e) : 0.0;
  }

  const Table& table_;
  std::vector<double> values_;
  std::vector<std::int64_t> rows_;  // -1: all zeros
  Table expanded_;
};

}  // namespace aslant
