// The tree as flat arrays, and prediction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/table.hpp"
#include "support/span.hpp"
#include "tree/descent.hpp"
#include "tree/linear_test.hpp"

namespace aslant {

// A node of an axis-parallel tree for prediction. Both children of a leaf are the leaf itself, so
// rows that have arrived may move on with others. NaN compares false, so a missing value goes to
// child[1]; where the fill belongs to the other child, the test is negated.
struct AxisParallelNode {
  double coef, threshold;
  std::int32_t feature, level;
  std::int32_t child[2];
};

// The arrays of a tree, not owned.
struct TreeArrays {
  Columns columns;
  int n_features = 0;
  int max_children = 2;
  Span<std::int32_t> children;    // n_nodes x max_children, -1 where there is none
  Span<std::int32_t> row_start;   // n_nodes + 1
  Span<std::int64_t> coef_start;  // n_rows + 1
  Span<std::int32_t> coef_column;
  Span<double> coef_value, coef_fill;
  Span<double> offset;  // n_rows
};

class Tree : private TreeArrays {
 public:
  // Throws std::invalid_argument unless every index is in range, every child comes after its only
  // parent, and every value is finite.
  explicit Tree(const TreeArrays& arrays);

  // Only this validation.
  static void check(const TreeArrays& arrays) { Tree(arrays, nullptr).validate(); }

  int features() const { return n_features; }
  int n_nodes() const { return static_cast<int>(row_start.size()) - 1; }

  // Leaf of each of the rows [begin, end), starting from node `start`.
  void apply(const Table& table, std::int64_t begin, std::int64_t end, int start,
             std::int32_t* leaf) const;

 private:
  Tree(const TreeArrays& arrays, std::nullptr_t) : TreeArrays(arrays) {}
  void validate() const;
  bool is_axis_parallel() const;
  bool is_dense() const;
  void prepare_axis_parallel();
  void prepare_hyperplanes();
  void prepare_outcomes();
  template <class T, bool kLevels, int kRows>
  void apply_axis_parallel(const Table& table, std::int64_t begin, int n_rows, int start,
                           std::int32_t* leaf) const;
  template <class T, bool kLevels>
  void copy_row(const char* row, std::ptrdiff_t feature_stride, double* copy) const;
  template <class T>
  bool readable_in_place(const Table& table, std::int64_t last_row) const;
  template <class T, bool kLevels>
  void apply_hyperplanes(const Table& table, std::int64_t begin, int n_rows, int start,
                         AlignedVector& block, std::int32_t* leaf) const;
  template <class T, bool kLevels>
  int leaf_of(const char* row, std::ptrdiff_t feature_stride, int node) const;
  LinearTest test_of(int node) const {
    const std::int32_t row = row_start[node];
    return {
        row_start[node + 1] - row, coef_start.data() + row, coef_column.data(), coef_value.data(),
        coef_fill.data(),          offset.data() + row,     run_.data()};
  }

  std::vector<std::int32_t> run_;  // of the tests, see LinearTest; empty without categories
  std::vector<AxisParallelNode> axis_parallel_;  // empty unless every test is of one column
  int depth_ = 0;                                // of an axis-parallel tree
  std::vector<std::int32_t> outcomes_of_;        // per node: index into outcomes_, or -1
  std::vector<LevelOutcomes> outcomes_;  // of tests of one category, where rows descend singly
  Hyperplanes hyperplanes_;  // without nodes unless every test is one vector of most columns
};

}  // namespace aslant
