#include "tree/tree.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "data/expanded_rows.hpp"

namespace aslant {

namespace {

// Columns per feature beyond which rows descend alone: a group reads all indicators, a row one.
constexpr int kManyLevels = 3;
constexpr int kRowsTogether = 8;  // in an axis-parallel tree
constexpr int kRowsAhead = 16;    // are prefetched

void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(std::string("not a valid tree: ") + what);
}

template <class Index>
bool starts_are_ordered(const Span<Index>& start, std::size_t last) {
  if (start.empty() || start.front() != 0) return false;
  for (std::size_t i = 1; i < start.size(); ++i)
    if (start[i] < start[i - 1]) return false;
  return static_cast<std::size_t>(start.back()) == last;
}

bool all_finite(const Span<double>& values) {
  for (double value : values)
    if (!std::isfinite(value)) return false;
  return true;
}

}  // namespace

void Tree::validate() const {
  require(n_features >= 1 && max_children >= 2, "it needs a feature and room for two children");
  require(row_start.size() >= 2 && starts_are_ordered(row_start, offset.size()),
          "row_start does not run from 0 to the number of offsets");
  require(coef_start.size() == offset.size() + 1 &&
              starts_are_ordered(coef_start, coef_value.size()) &&
              coef_column.size() == coef_value.size() && coef_fill.size() == coef_value.size(),
          "the coefficient rows do not fit together");
  try {
    columns.check(n_features);
  } catch (const std::invalid_argument& error) {
    require(false, error.what());
  }
  for (std::int32_t column : coef_column)
    require(column >= 0 && column < columns.size(), "a coefficient for a column that is not there");
  require(all_finite(coef_value) && all_finite(coef_fill) && all_finite(offset),
          "a coefficient, fill or offset is not finite");
  const std::size_t nodes = row_start.size() - 1;
  require(children.size() == nodes * max_children, "children and row_start disagree in length");
  std::vector<char> has_parent(nodes, 0);
  for (std::size_t i = 0; i < nodes; ++i) {
    const int vectors = row_start[i + 1] - row_start[i];
    const int expected = vectors == 0 ? 0 : (vectors == 1 ? 2 : vectors);
    require(expected <= max_children, "a test with more outcomes than children");
    for (int c = 0; c < max_children; ++c) {
      const std::int32_t child = children[i * max_children + c];
      if (c >= expected) {
        require(child == -1, "a child without a test that leads to it");
        continue;
      }
      require(child > static_cast<std::int32_t>(i) && child < static_cast<std::int32_t>(nodes) &&
                  !has_parent[child],
              "a child that is missing, shared or above its parent");
      has_parent[child] = 1;
    }
  }
  for (std::size_t i = 1; i < nodes; ++i) require(has_parent[i], "a node that no test leads to");
}

bool Tree::is_axis_parallel() const {
  for (int node = 0; node < n_nodes(); ++node) {
    const std::int32_t row = row_start[node], vectors = row_start[node + 1] - row;
    if (vectors > 1 || (vectors == 1 && coef_start[row + 1] != coef_start[row] + 1)) return false;
  }
  return true;
}

// Whether all tests are hyperplanes for which zeros, of coefficients or of absent levels, do not
// dominate the work.
bool Tree::is_dense() const {
  if (columns.size() > kManyLevels * n_features) return false;
  for (int node = 0; node < n_nodes(); ++node)
    if (row_start[node + 1] - row_start[node] > 1) return false;
  return 2 * coef_value.size() >= offset.size() * columns.feature.size();
}

Tree::Tree(const TreeArrays& arrays) : TreeArrays(arrays) {
  validate();
  if (columns.any_levels()) {
    run_.resize(coef_column.size());
    find_runs(columns, coef_start.data(), static_cast<std::int64_t>(offset.size()),
              coef_column.data(), run_.data());
  }
  if (is_axis_parallel())
    prepare_axis_parallel();
  else if (is_dense())
    prepare_hyperplanes();
  else if (columns.any_levels())
    prepare_outcomes();
}

void Tree::prepare_outcomes() {
  outcomes_of_.assign(n_nodes(), -1);
  for (int node = 0; node < n_nodes(); ++node) {
    const LinearTest test = test_of(node);
    if (test.n_vectors == 0 || !reads_one_category(test, columns)) continue;
    outcomes_of_[node] = static_cast<std::int32_t>(outcomes_.size());
    outcomes_.push_back(level_outcomes(test, columns));
  }
}

void Tree::prepare_axis_parallel() {
  axis_parallel_.resize(n_nodes());
  std::vector<int> depth(n_nodes(), 0);
  for (int node = 0; node < n_nodes(); ++node) {
    const std::int32_t row = row_start[node];
    axis_parallel_[node] = {0.0, 0.0, 0, -1, {node, node}};
    depth_ = std::max(depth_, depth[node]);
    if (row == row_start[node + 1]) continue;
    const std::int64_t entry = coef_start[row];
    const std::int32_t column = coef_column[entry];
    const std::int32_t* child = children.data() + static_cast<std::size_t>(node) * max_children;
    depth[child[0]] = depth[child[1]] = depth[node] + 1;
    AxisParallelNode& packed = axis_parallel_[node];
    packed = {coef_value[entry],
              offset[row],
              columns.feature[column],
              columns.level[column],
              {child[0], child[1]}};
    if (packed.coef * coef_fill[entry] <= packed.threshold) {
      packed.coef = -packed.coef;
      packed.threshold = -std::nextafter(packed.threshold, HUGE_VAL);
      std::swap(packed.child[0], packed.child[1]);
    }
  }
}

void Tree::prepare_hyperplanes() {
  const int width = (columns.size() + kLanes - 1) / kLanes * kLanes;
  hyperplanes_.width = width;
  hyperplanes_.coef.assign((offset.size() + 1) * width, 0.0);  // last: the leaves' vector
  hyperplanes_.nodes.resize(n_nodes());
  const auto is_leaf = [this](int node) { return row_start[node] == row_start[node + 1]; };
  const auto tests_one_column = [this](int node) {
    return coef_start[row_start[node] + 1] == coef_start[row_start[node]] + 1;
  };
  const auto code = [&](int node) {
    return is_leaf(node) ? Hyperplanes::code_of_leaf(node)
                         : Hyperplanes::code_of_node(node, tests_one_column(node));
  };
  for (int node = 0; node < n_nodes(); ++node) {
    Hyperplanes::Node& packed = hyperplanes_.nodes[node];
    if (is_leaf(node)) {
      packed = {0.0, 0.0, -1, static_cast<std::int32_t>(offset.size()), {code(node), code(node)}};
      continue;
    }
    const std::int32_t row = row_start[node];
    const std::int64_t first = static_cast<std::int64_t>(row) * width;
    for (std::int64_t e = coef_start[row]; e < coef_start[row + 1]; ++e)
      hyperplanes_.coef[first + coef_column[e]] = coef_value[e];
    const std::int32_t* child = children.data() + static_cast<std::size_t>(node) * max_children;
    packed = {offset[row], 0.0, -1, row, {code(child[0]), code(child[1])}};
    if (tests_one_column(node)) {
      packed.coef = coef_value[coef_start[row]];
      packed.column = coef_column[coef_start[row]];
    }
  }
}

// Interleaves several rows to hide memory latency; kRows is their number, or 0.
template <class T, bool kLevels, int kRows>
void Tree::apply_axis_parallel(const Table& table, std::int64_t begin, int n_rows, int start,
                               std::int32_t* leaf) const {
  const int n = kRows > 0 ? kRows : n_rows;
  const char* first = table.data + begin * table.row_stride;
  for (int i = 0; i < n; ++i) table.prefetch(begin + kRowsAhead + i);
  for (int i = 0; i < n; ++i) leaf[i] = start;
  std::int32_t moved = 1;
  for (int level = 0; level < depth_ && moved; ++level) {
    moved = 0;
    for (int i = 0; i < n; ++i) {
      const AxisParallelNode& node = axis_parallel_[leaf[i]];
      double x = static_cast<double>(*reinterpret_cast<const T*>(
          first + i * table.row_stride + node.feature * table.feature_stride));
      if (kLevels && node.level >= 0 && x == x) x = x == node.level ? 1.0 : 0.0;
      const std::int32_t next = node.child[!(node.coef * x <= node.threshold)];
      moved |= next ^ leaf[i];
      leaf[i] = next;
    }
  }
}

template <class T, bool kLevels>
void Tree::copy_row(const char* row, std::ptrdiff_t feature_stride, double* copy) const {
  if (!kLevels && feature_stride == static_cast<std::ptrdiff_t>(sizeof(T))) {
    const T* value = reinterpret_cast<const T*>(row);
    for (int j = 0; j < n_features; ++j) copy[j] = static_cast<double>(value[j]);
    return;
  }
  for (int j = 0; j < columns.size(); ++j) {
    const double x =
        static_cast<double>(*reinterpret_cast<const T*>(row + columns.feature[j] * feature_stride));
    const bool is_level = kLevels && columns.level[j] >= 0 && x == x;
    copy[j] = is_level ? (x == columns.level[j] ? 1.0 : 0.0) : x;
  }
}

// Whether rows up to this one can be read in place, in groups of kLanes values: the last group of a
// row may read into the next one.
template <class T>
bool Tree::readable_in_place(const Table& table, std::int64_t last_row) const {
  const auto size = static_cast<std::ptrdiff_t>(sizeof(T));
  const int beyond = hyperplanes_.width - n_features;
  return table.feature_stride == size && table.row_stride >= n_features * size &&
         (beyond == 0 || (beyond <= n_features && last_row + 1 < table.n_rows));
}

template <class T, bool kLevels>
void Tree::apply_hyperplanes(const Table& table, std::int64_t begin, int n_rows, int start,
                             AlignedVector& block, std::int32_t* leaf) const {
  const char* first = table.data + begin * table.row_stride;
  if (!kLevels && readable_in_place<T>(table, begin + n_rows - 1)) {
    descend(hyperplanes_, RowBlock<T>{first, table.row_stride, n_rows}, start, leaf);
  } else {
    block.resize(static_cast<std::size_t>(hyperplanes_.rows_together()) * hyperplanes_.width, 0.0);
    for (int i = 0; i < n_rows; ++i)
      copy_row<T, kLevels>(first + i * table.row_stride, table.feature_stride,
                           block.data() + static_cast<std::ptrdiff_t>(i) * hyperplanes_.width);
    const auto stride = static_cast<std::ptrdiff_t>(hyperplanes_.width * sizeof(double));
    descend(hyperplanes_,
            RowBlock<double>{reinterpret_cast<const char*>(block.data()), stride, n_rows}, start,
            leaf);
  }
  for (int i = 0; i < n_rows; ++i)
    if (leaf[i] == kNoLeaf)
      leaf[i] = leaf_of<T, kLevels>(first + i * table.row_stride, table.feature_stride, start);
}

template <class T, bool kLevels>
int Tree::leaf_of(const char* row, std::ptrdiff_t feature_stride, int node) const {
  while (row_start[node] != row_start[node + 1]) {
    int child;
    if (kLevels && !outcomes_of_.empty() && outcomes_of_[node] >= 0) {
      const LevelOutcomes& outcomes = outcomes_[outcomes_of_[node]];
      child = outcomes.of(static_cast<double>(
          *reinterpret_cast<const T*>(row + outcomes.feature * feature_stride)));
    } else {
      child = child_of<T, kLevels>(test_of(node), columns, row, feature_stride);
    }
    node = children[static_cast<std::size_t>(node) * max_children + child];
  }
  return node;
}

void Tree::apply(const Table& table, std::int64_t begin, std::int64_t end, int start,
                 std::int32_t* leaf) const {
  if (row_start[start] == row_start[start + 1]) {
    std::fill(leaf, leaf + (end - begin), start);
    return;
  }
  const bool planes = !hyperplanes_.nodes.empty();
  const int together = planes ? hyperplanes_.rows_together() : kRowsTogether;
  if (table.is_sparse()) {
    ExpandedRows expanded(table, together);
    for (std::int64_t i = begin; i < end; i += together) {
      const auto n = static_cast<int>(std::min<std::int64_t>(together, end - i));
      apply(expanded.expand(n, [i](int k) { return i + k; }), 0, n, start, leaf + (i - begin));
    }
    return;
  }
  AlignedVector block;
  with_layout(table, columns, [&](auto type, auto has_levels) {
    using T = decltype(type);
    constexpr bool kLevels = decltype(has_levels)::value;
    for (std::int64_t i = begin; i < end; i += together) {
      const auto n_rows = static_cast<int>(std::min<std::int64_t>(together, end - i));
      std::int32_t* out = leaf + (i - begin);
      if (!axis_parallel_.empty())
        n_rows == kRowsTogether
            ? apply_axis_parallel<T, kLevels, kRowsTogether>(table, i, n_rows, start, out)
            : apply_axis_parallel<T, kLevels, 0>(table, i, n_rows, start, out);
      else if (planes)
        apply_hyperplanes<T, kLevels>(table, i, n_rows, start, block, out);
      else
        for (int k = 0; k < n_rows; ++k)
          out[k] = leaf_of<T, kLevels>(table.data + (i + k) * table.row_stride,
                                       table.feature_stride, start);
    }
  });
}

}  // namespace aslant
