// The caller's data, read in place.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "support/multiversion.hpp"

namespace aslant {

// The columns a linear test may read. A numeric feature is one column; a categorical feature with
// m levels is a group of m neighbouring indicator columns.
struct Columns {
  std::vector<std::int32_t> feature;  // the input feature that each column reads
  std::vector<std::int32_t> level;    // -1: the number itself; else the level whose indicator it is

  Columns() = default;
  Columns(std::vector<std::int32_t> features, std::vector<std::int32_t> levels);

  int size() const { return static_cast<int>(feature.size()); }
  bool any_levels() const { return any_levels_; }  // asked at every node: found once

  // Throws std::invalid_argument unless every feature below n_features has its column, or all its
  // levels one after the other, in the order of the features.
  void check(int n_features) const;

 private:
  bool any_levels_ = false;
};

// A column that is zero but for few rows.
struct SparseColumn {
  std::vector<std::uint32_t> rows;  // ascending
  std::vector<double> values;

  void assign_nonzero(const std::vector<double>& dense) {
    rows.clear();
    values.clear();
    for (std::size_t i = 0; i < dense.size(); ++i) {
      if (dense[i] == 0.0) continue;
      rows.push_back(static_cast<std::uint32_t>(i));
      values.push_back(dense[i]);
    }
  }
};

// A matrix of float32 or float64 values, never copied: dense in any layout, or compressed sparse
// rows. A categorical feature holds level codes; NaN is a missing value.
struct Table {
  const char* data = nullptr;
  bool single_precision = false;
  std::int64_t n_rows = 0;
  int n_features = 0;
  std::ptrdiff_t row_stride = 0, feature_stride = 0;  // in bytes
  std::shared_ptr<const void> owner;                  // keeps the memory behind the pointers

  // Sparse: the values of a row are those from row_begin[row] on, of ascending features.
  const std::int64_t* row_begin = nullptr;  // null: dense
  const std::int32_t* feature_of = nullptr;

  bool is_sparse() const { return row_begin != nullptr; }
  std::int64_t n_values() const { return is_sparse() ? row_begin[n_rows] : n_rows * n_features; }
  double value(std::int64_t e) const {
    return single_precision ? static_cast<double>(reinterpret_cast<const float*>(data)[e])
                            : reinterpret_cast<const double*>(data)[e];
  }

  double at(std::int64_t row, int feature) const {
    if (is_sparse()) {
      const std::int32_t *begin = feature_of + row_begin[row],
                         *end = feature_of + row_begin[row + 1];
      const std::int32_t* found = std::lower_bound(begin, end, feature);
      return found != end && *found == feature ? value(found - feature_of) : 0.0;
    }
    const char* place = data + row * row_stride + feature * feature_stride;
    return single_precision ? static_cast<double>(*reinterpret_cast<const float*>(place))
                            : *reinterpret_cast<const double*>(place);
  }

  // The values of a feature in some rows: numbers as they are, or codes of levels, -1 for a missing
  // one.
  template <class Out>
  void gather(int feature, const std::uint32_t* rows, std::size_t n, Out* out) const {
    if (is_sparse()) {
      for (std::size_t i = 0; i < n; ++i) put(at(rows[i], feature), out[i]);
      return;
    }
    single_precision ? gather_as<float>(feature, rows, n, out)
                     : gather_as<double>(feature, rows, n, out);
  }

  // Asks for a row, which need not exist, before it is read, if its values lie side by side.
  void prefetch(std::int64_t row) const {
    constexpr std::ptrdiff_t kCacheLine = 64;
    const std::ptrdiff_t size = single_precision ? sizeof(float) : sizeof(double);
    if (is_sparse() || feature_stride != size) return;
    for (std::ptrdiff_t byte = 0; byte < n_features * size; byte += kCacheLine)
      ASLANT_PREFETCH(data + row * row_stride + byte);
  }

 private:
  static void put(double value, double& out) { out = value; }
  static void put(double code, std::int32_t& out) {
    out = std::isnan(code) ? -1 : static_cast<std::int32_t>(code);
  }

  template <class T, class Out>
  void gather_as(int feature, const std::uint32_t* rows, std::size_t n, Out* out) const {
    const char* base = data + feature * feature_stride;
    for (std::size_t i = 0; i < n; ++i)
      put(static_cast<double>(*reinterpret_cast<const T*>(
              base + static_cast<std::ptrdiff_t>(rows[i]) * row_stride)),
          out[i]);
  }
};

}  // namespace aslant
