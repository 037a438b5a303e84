#include "tree.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace aslant {

namespace {

void require(bool condition, const char* what) {
  if (!condition) throw std::invalid_argument(std::string("not a valid tree: ") + what);
}

template <class Index>
bool starts_are_ordered(const std::vector<Index>& start, std::size_t last) {
  if (start.empty() || start.front() != 0) return false;
  for (std::size_t i = 1; i < start.size(); ++i)
    if (start[i] < start[i - 1]) return false;
  return static_cast<std::size_t>(start.back()) == last;
}

bool all_finite(const std::vector<double>& values) {
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
  require(columns.feature.size() == columns.level.size(), "columns without feature or level");
  for (std::int32_t feature : columns.feature)
    require(feature >= 0 && feature < n_features, "a column reads a feature that is not there");
  if (!columns.any_levels())
    for (int j = 0; j < columns.size(); ++j)
      require(columns.feature[j] == j, "numeric columns out of order");
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

void Tree::prepare() {
  validate();
  if (!is_axis_parallel()) return;
  steps_.resize(n_nodes());
  for (int node = 0; node < n_nodes(); ++node) {
    const std::int32_t row = row_start[node];
    steps_[node] = {0.0, 0.0, 0.0, 0, -1, {node, node}};
    if (row == row_start[node + 1]) continue;
    const std::int64_t entry = coef_start[row];
    const std::int32_t column = coef_column[entry];
    const std::int32_t* child = &children[static_cast<std::size_t>(node) * max_children];
    steps_[node] = {coef_value[entry],       offset[row],           coef_fill[entry],
                    columns.feature[column], columns.level[column], {child[0], child[1]}};
  }
}

// Several rows descend together: while one waits for memory, the others go on.
template <class T, bool kLevels>
void Tree::apply_steps(const Table& table, std::int64_t begin, int n_rows, int start,
                       std::int32_t* leaf) const {
  const char* first = table.data + begin * table.row_stride;
  for (int i = 0; i < n_rows; ++i) leaf[i] = start;
  for (std::int32_t moved = 1; moved;) {
    moved = 0;
    for (int i = 0; i < n_rows; ++i) {
      const Step& step = steps_[leaf[i]];
      double x = static_cast<double>(*reinterpret_cast<const T*>(
          first + i * table.row_stride + step.feature * table.feature_stride));
      if (kLevels && step.level >= 0 && x == x) x = x == step.level ? 1.0 : 0.0;
      x = x == x ? x : step.fill;
      const std::int32_t next = step.child[!(step.coef * x <= step.threshold)];
      moved |= next ^ leaf[i];
      leaf[i] = next;
    }
  }
}

template <class T, bool kLevels>
int Tree::leaf_of(const char* row, std::ptrdiff_t feature_stride, int node) const {
  while (row_start[node] != row_start[node + 1]) {
    const int child = child_of<T, kLevels>(test_of(node), columns, row, feature_stride);
    node = children[static_cast<std::size_t>(node) * max_children + child];
  }
  return node;
}

void Tree::apply(const Table& table, std::int64_t begin, std::int64_t end, int start,
                 std::int32_t* leaf) const {
  with_layout(table, columns, [&](auto type, auto has_levels) {
    using T = decltype(type);
    constexpr bool kLevels = decltype(has_levels)::value;
    if (steps_.empty()) {
      for (std::int64_t i = begin; i < end; ++i)
        leaf[i - begin] =
            leaf_of<T, kLevels>(table.data + i * table.row_stride, table.feature_stride, start);
      return;
    }
    constexpr std::int64_t kTogether = 8;
    for (std::int64_t i = begin; i < end; i += kTogether)
      apply_steps<T, kLevels>(table, i, static_cast<int>(std::min(kTogether, end - i)), start,
                              leaf + (i - begin));
  });
}

}  // namespace aslant
