// Blocks of rows descending through hyperplanes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "tree/lanes.hpp"

namespace aslant {

// The hyperplanes of a tree for prediction: with a coefficient for every column. Tests of one
// column, which most oblique trees have, are also stored as such.
struct Hyperplanes {
  struct Node {
    double threshold = 0.0;
    double coef = 0.0;           // of a test of one column
    std::int32_t column = -1;    // that column; -1: the test has several
    std::int32_t vector = 0;     // index of the coefficients; leaves share a vector of zeros
    std::int32_t child[2] = {};  // see code_of_node and code_of_leaf; a leaf's is the leaf
  };

  // Codes of children: leaves are negative, nodes that test one column are odd.
  static std::int32_t code_of_leaf(int leaf) { return -1 - leaf; }
  static std::int32_t code_of_node(int node, bool tests_one_column) {
    return 2 * node + (tests_one_column ? 1 : 0);
  }

  int width = 0;  // columns, zero-padded to a multiple of kLanes
  AlignedVector coef;
  std::vector<Node> nodes;

  ASLANT_INLINE const double* coefs(std::int32_t node) const {
    return coef.data() + static_cast<std::ptrdiff_t>(nodes[node].vector) * width;
  }

  static constexpr int kMostRows = 64;
  // Rows that descend together: they stay in the L1 cache.
  int rows_together() const { return std::max(8, std::min(kMostRows, 8192 / width)); }
};

// Contiguous rows. The last group of kLanes values may reach beyond a row, where coefficients are
// zero, so `width` values must be readable from the start of each row.
template <class T>
struct RowBlock {
  const char* data;
  std::ptrdiff_t stride;  // in bytes
  int n_rows;

  ASLANT_INLINE const T* row(int i) const { return reinterpret_cast<const T*>(data + i * stride); }
};

// Moves a block of rows from the inner node `start` to their leaves. kNoLeaf marks rows with a
// missing value in any column: they descend alone, because every test has its own fills.
constexpr std::int32_t kNoLeaf = std::numeric_limits<std::int32_t>::max();
void descend(const Hyperplanes& planes, const RowBlock<double>& rows, int start,
             std::int32_t* leaf);
void descend(const Hyperplanes& planes, const RowBlock<float>& rows, int start, std::int32_t* leaf);

}  // namespace aslant
