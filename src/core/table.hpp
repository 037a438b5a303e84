// The caller's data, read in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "multiversion.hpp"

namespace aslant {

// The columns a linear test may read. A numeric feature is one column; a categorical feature with
// m levels is a group of m neighbouring indicator columns.
struct Columns {
  std::vector<std::int32_t> feature;  // the input feature that each column reads
  std::vector<std::int32_t> level;    // -1: the number itself; else the level whose indicator it is

  int size() const { return static_cast<int>(feature.size()); }
  bool any_levels() const {
    for (std::int32_t l : level)
      if (l >= 0) return true;
    return false;
  }

  // Throws std::invalid_argument unless every feature below n_features has its column, or all its
  // levels one after the other, in the order of the features.
  void check(int n_features) const;
};

// A matrix of float32 or float64 values in any layout, never copied. A categorical feature holds
// level codes; NaN is a missing value.
struct Table {
  const char* data = nullptr;
  bool single_precision = false;
  std::int64_t n_rows = 0;
  int n_features = 0;
  std::ptrdiff_t row_stride = 0, feature_stride = 0;  // in bytes

  double at(std::int64_t row, int feature) const {
    const char* place = data + row * row_stride + feature * feature_stride;
    return single_precision ? static_cast<double>(*reinterpret_cast<const float*>(place))
                            : *reinterpret_cast<const double*>(place);
  }

  // Asks for a row, which need not exist, before it is read, if its values lie side by side.
  void prefetch(std::int64_t row) const {
    constexpr std::ptrdiff_t kCacheLine = 64;
    const std::ptrdiff_t size = single_precision ? sizeof(float) : sizeof(double);
    if (feature_stride != size) return;
    for (std::ptrdiff_t byte = 0; byte < n_features * size; byte += kCacheLine)
      ASLANT_PREFETCH(data + row * row_stride + byte);
  }
};

}  // namespace aslant
