// The tree as flat arrays, and prediction.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "descent.hpp"
#include "split.hpp"
#include "table.hpp"

namespace aslant {

// Where a row goes: the one place that evaluates a linear test, in growing and in predicting.
//
// Its compressed coefficient rows start at `coef_start`; see Split for their meaning.
struct LinearTest {
  int n_vectors;
  const std::int64_t* coef_start;
  const std::int32_t* column;
  const double* coef;
  const double* fill;
  const double* offset;
};

template <class T, bool kLevels>
inline double dot(const LinearTest& test, int vector, const Columns& columns, const char* row,
                  std::ptrdiff_t feature_stride) {
  double lane[kLanes] = {};
  for (std::int64_t e = test.coef_start[vector]; e < test.coef_start[vector + 1]; ++e) {
    const std::int32_t j = test.column[e];
    const std::int32_t feature = kLevels ? columns.feature[j] : j;
    double x = static_cast<double>(*reinterpret_cast<const T*>(row + feature * feature_stride));
    if (x != x)
      x = test.fill[e];
    else if (kLevels && columns.level[j] >= 0)
      x = x == columns.level[j] ? 1.0 : 0.0;
    lane[j % kLanes] += test.coef[e] * x;
  }
  return total(lane);
}

template <class T, bool kLevels>
inline int child_of(const LinearTest& test, const Columns& columns, const char* row,
                    std::ptrdiff_t feature_stride) {
  if (test.n_vectors == 1)
    return dot<T, kLevels>(test, 0, columns, row, feature_stride) <= test.offset[0] ? 0 : 1;
  int best = 0;
  double highest = 0.0;
  for (int v = 0; v < test.n_vectors; ++v) {
    const double value = dot<T, kLevels>(test, v, columns, row, feature_stride) + test.offset[v];
    if (v == 0 || value > highest) {
      highest = value;
      best = v;
    }
  }
  return best;
}

// Calls body(T{}, has_levels) with the types that fit the table.
template <class Body>
void with_layout(const Table& table, const Columns& columns, const Body& body) {
  const bool levels = columns.any_levels();
  if (table.single_precision)
    levels ? body(float{}, std::true_type{}) : body(float{}, std::false_type{});
  else
    levels ? body(double{}, std::true_type{}) : body(double{}, std::false_type{});
}

// A node of an axis-parallel tree as prediction reads it. Both children of a leaf are the leaf
// itself, so rows that have arrived may take further steps with others that have not.
struct Step {
  double coef, threshold, fill;
  std::int32_t feature, level;
  std::int32_t child[2];
};

class Tree {
 public:
  Columns columns;
  int n_features = 0;
  int max_children = 2;
  std::vector<std::int32_t> children;    // n_nodes x max_children, -1 where there is none
  std::vector<std::int32_t> row_start;   // n_nodes + 1
  std::vector<std::int64_t> coef_start;  // n_rows + 1
  std::vector<std::int32_t> coef_column;
  std::vector<double> coef_value, coef_fill;
  std::vector<double> offset;  // n_rows

  int n_nodes() const { return static_cast<int>(row_start.size()) - 1; }

  // Must be called before apply(). Throws std::invalid_argument unless every index is in range,
  // every child comes after its parent and is the child of one node only, and every number is
  // finite.
  void prepare();

  // Leaf of each of the rows [begin, end), starting from node `start`.
  void apply(const Table& table, std::int64_t begin, std::int64_t end, int start,
             std::int32_t* leaf) const;

 private:
  void validate() const;
  bool is_axis_parallel() const;
  bool is_dense() const;
  void prepare_steps();
  void prepare_hyperplanes();
  template <class T, bool kLevels>
  void apply_steps(const Table& table, std::int64_t begin, int n_rows, int start,
                   std::int32_t* leaf) const;
  template <class T, bool kLevels>
  void copy_row(const char* row, std::ptrdiff_t feature_stride, double* copy) const;
  template <class T, bool kLevels>
  void apply_hyperplanes(const Table& table, std::int64_t begin, int n_rows, int start,
                         double* block, std::int32_t* leaf) const;
  template <class T, bool kLevels>
  int leaf_of(const char* row, std::ptrdiff_t feature_stride, int node) const;
  LinearTest test_of(int node) const {
    const std::int32_t row = row_start[node];
    return {row_start[node + 1] - row, &coef_start[row], coef_column.data(),
            coef_value.data(),         coef_fill.data(), &offset[row]};
  }

  std::vector<Step> steps_;  // empty unless every test is of one column
  Hyperplanes hyperplanes_;  // without steps unless every test is one vector of most columns
};

}  // namespace aslant
