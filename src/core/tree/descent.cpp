#include "tree/descent.hpp"

#include <limits>

#include "support/multiversion.hpp"

namespace aslant {

namespace {

// In place of a child: the row has a missing value. Becomes kNoLeaf.
constexpr std::int32_t kMissing = std::numeric_limits<std::int32_t>::min();

// With a compile-time width, a short dot product needs no loop.
template <int kWidth, class T>
ASLANT_INLINE double product(const Hyperplanes& planes, std::int32_t node, const T* x) {
  const int width = kWidth > 0 ? kWidth : planes.width;
  const double* coef = planes.coefs(node);
  Lanes lane = {};
#if defined(__GNUC__)
#pragma GCC unroll 4
#endif
  for (int j = 0; j < width; j += kLanes) add_products(coef + j, x + j, lane);
  return total(lane);
}

// Four rows at a time: the sums of one row depend on each other.
constexpr int kProducts = 4;
template <class T>
ASLANT_INLINE void products(const double* const* coef, const T* const* x, int width,
                            double* value) {
  Lanes lane[kProducts] = {};
  for (int j = 0; j < width; j += kLanes) {
    add_products(coef[0] + j, x[0] + j, lane[0]);
    add_products(coef[1] + j, x[1] + j, lane[1]);
    add_products(coef[2] + j, x[2] + j, lane[2]);
    add_products(coef[3] + j, x[3] + j, lane[3]);
  }
  for (int r = 0; r < kProducts; ++r) value[r] = total(lane[r]);
}

ASLANT_INLINE std::int32_t next_code(const Hyperplanes::Node& node, double value) {
  return node.child[!(value <= node.threshold)];
}

// Few columns: a test is cheaper than maintaining lists, so rows that have arrived stay in the
// group. Interleaving rows hides the latency of their sums.
template <int kWidth, class T>
ASLANT_INLINE void descend_narrow(const Hyperplanes& planes, const RowBlock<T>& rows, int start,
                                  std::int32_t* leaf) {
  constexpr int kGroup = 8;
  const Hyperplanes::Node* nodes = planes.nodes.data();
  for (int begin = 0; begin < rows.n_rows; begin += kGroup) {
    const int end = std::min(rows.n_rows, begin + kGroup);
    double value[kGroup];
    for (int i = begin; i < end; ++i) leaf[i] = start;
    for (bool any_left = true; any_left;) {
      any_left = false;
      for (int i = begin; i < end; ++i) {
        value[i - begin] = product<kWidth>(planes, leaf[i], rows.row(i));
        const std::int32_t code = next_code(nodes[leaf[i]], value[i - begin]);
        leaf[i] = code < 0 ? -1 - code : code >> 1;
        any_left |= code >= 0;
      }
    }
    for (int i = begin; i < end; ++i)
      if (value[i - begin] != value[i - begin]) leaf[i] = kNoLeaf;
  }
}

// Rows of a block that have not arrived, and their nodes. Branchless: unpredictable.
struct Waiting {
  int n = 0;
  std::int32_t row[Hyperplanes::kMostRows], node[Hyperplanes::kMostRows];

  ASLANT_INLINE void add(std::int32_t i, std::int32_t at, int goes_on) {
    row[n] = i;
    node[n] = at;
    n += goes_on;
  }
};

// The descending rows of a block. Separates rows at tests of one column, so each loop has one kind
// of test.
struct Level {
  Waiting at_planes, at_columns;

  // A row that reaches a leaf stays there.
  ASLANT_INLINE void add(std::int32_t i, std::int32_t code, std::int32_t* leaf) {
    leaf[i] = -1 - code;
    at_planes.add(i, code >> 1, (code >= 0) & ~code & 1);
    at_columns.add(i, code >> 1, (code >= 0) & code & 1);
  }
};

// The left sides of the pending tests.
template <class T>
ASLANT_INLINE void evaluate(const Hyperplanes& planes, const RowBlock<T>& rows,
                            const Waiting& waiting, double* value) {
  int k = 0;
  for (; k + kProducts <= waiting.n; k += kProducts) {
    const double* coef[kProducts];
    const T* x[kProducts];
    for (int r = 0; r < kProducts; ++r) {
      coef[r] = planes.coefs(waiting.node[k + r]);
      x[r] = rows.row(waiting.row[k + r]);
    }
    products(coef, x, planes.width, value + k);
  }
  for (; k < waiting.n; ++k)
    value[k] = product<0>(planes, waiting.node[k], rows.row(waiting.row[k]));
}

// Many columns: level by level. The first level, a single node, streams the rows into the cache.
template <class T>
ASLANT_INLINE void descend_wide(const Hyperplanes& planes, const RowBlock<T>& rows, int start,
                                std::int32_t* leaf) {
  const Hyperplanes::Node* nodes = planes.nodes.data();
  double value[Hyperplanes::kMostRows];
  Level levels[2];
  for (int i = 0; i < rows.n_rows; ++i) value[i] = product<0>(planes, start, rows.row(i));
  for (int i = 0; i < rows.n_rows; ++i)
    levels[0].add(i, value[i] == value[i] ? next_code(nodes[start], value[i]) : kMissing, leaf);
  for (int d = 0; levels[d].at_planes.n + levels[d].at_columns.n > 0; d = 1 - d) {
    const auto& [at_planes, at_columns] = levels[d];
    Level& to = levels[1 - d];
    to.at_planes.n = to.at_columns.n = 0;
    evaluate(planes, rows, at_planes, value);
    for (int k = 0; k < at_planes.n; ++k)
      to.add(at_planes.row[k], next_code(nodes[at_planes.node[k]], value[k]), leaf);
    for (int k = 0; k < at_columns.n; ++k) {
      const Hyperplanes::Node& node = nodes[at_columns.node[k]];
      const auto x = static_cast<double>(rows.row(at_columns.row[k])[node.column]);
      to.add(at_columns.row[k], next_code(node, node.coef * x), leaf);
    }
  }
}

template <class T>
ASLANT_INLINE void descend_any(const Hyperplanes& planes, const RowBlock<T>& rows, int start,
                               std::int32_t* leaf) {
  switch (planes.width) {
    case 4:
      return descend_narrow<4>(planes, rows, start, leaf);
    case 8:
      return descend_narrow<8>(planes, rows, start, leaf);
    case 12:
      return descend_narrow<12>(planes, rows, start, leaf);
    case 16:
      return descend_narrow<16>(planes, rows, start, leaf);
    default:
      return descend_wide(planes, rows, start, leaf);
  }
}

}  // namespace

ASLANT_MULTIVERSION
void descend(const Hyperplanes& planes, const RowBlock<double>& rows, int start,
             std::int32_t* leaf) {
  descend_any(planes, rows, start, leaf);
}

ASLANT_MULTIVERSION
void descend(const Hyperplanes& planes, const RowBlock<float>& rows, int start,
             std::int32_t* leaf) {
  descend_any(planes, rows, start, leaf);
}

}  // namespace aslant
