#include "tree.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace aslant {

namespace {

// Columns a feature from which on rows go alone: eight together read all indicators, one reads one.
constexpr int kManyLevels = 3;

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

// Hyperplanes alone, in which zeros would not be most of the work: those of coefficients, and those
// of the levels that a row has not.
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
    prepare_steps();
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

void Tree::prepare_steps() {
  steps_.resize(n_nodes());
  for (int node = 0; node < n_nodes(); ++node) {
    const std::int32_t row = row_start[node];
    steps_[node] = {0.0, 0.0, 0.0, 0, -1, {node, node}};
    if (row == row_start[node + 1]) continue;
    const std::int64_t entry = coef_start[row];
    const std::int32_t column = coef_column[entry];
    const std::int32_t* child = children.data() + static_cast<std::size_t>(node) * max_children;
    steps_[node] = {coef_value[entry],       offset[row],           coef_fill[entry],
                    columns.feature[column], columns.level[column], {child[0], child[1]}};
  }
}

void Tree::prepare_hyperplanes() {
  const int width = (columns.size() + kLanes - 1) / kLanes * kLanes;
  hyperplanes_.width = width;
  hyperplanes_.coef.assign((offset.size() + 1) * width, 0.0);  // the last vector is the leaves'
  const auto of_leaves = static_cast<std::int64_t>(offset.size()) * width;
  hyperplanes_.steps.resize(n_nodes());
  std::vector<int> depth(n_nodes(), 0);
  for (int node = 0; node < n_nodes(); ++node) {
    const std::int32_t row = row_start[node];
    hyperplanes_.steps[node] = {0.0, of_leaves, {node, node}};
    if (row == row_start[node + 1]) continue;
    const std::int64_t first = static_cast<std::int64_t>(row) * width;
    for (std::int64_t e = coef_start[row]; e < coef_start[row + 1]; ++e)
      hyperplanes_.coef[first + coef_column[e]] = coef_value[e];
    const std::int32_t* child = children.data() + static_cast<std::size_t>(node) * max_children;
    hyperplanes_.steps[node] = {offset[row], first, {child[0], child[1]}};
    depth[child[0]] = depth[child[1]] = depth[node] + 1;
    hyperplanes_.depth = std::max(hyperplanes_.depth, depth[node] + 1);
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

// Rows with missing values go alone, because every test has fills of its own.
template <class T, bool kLevels>
void Tree::apply_hyperplanes(const Table& table, std::int64_t begin, int n_rows, int start,
                             double* block, std::int32_t* leaf) const {
  const char* first = table.data + begin * table.row_stride;
  std::int32_t node[kRowsTogether];
  double value[kRowsTogether];
  for (int i = 0; i < n_rows; ++i)
    copy_row<T, kLevels>(first + i * table.row_stride, table.feature_stride,
                         block + static_cast<std::ptrdiff_t>(i) * hyperplanes_.width);
  // The next block is on its way from memory while this one descends.
  for (int i = kRowsTogether; i < 2 * kRowsTogether; ++i) table.prefetch(begin + i);
  for (int i = 0; i < kRowsTogether; ++i) node[i] = start;
  descend(hyperplanes_, block, node, value);
  for (int i = 0; i < n_rows; ++i)
    leaf[i] = value[i] == value[i]
                  ? node[i]
                  : leaf_of<T, kLevels>(first + i * table.row_stride, table.feature_stride, start);
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
  AlignedVector block(static_cast<std::size_t>(kRowsTogether) * hyperplanes_.width, 0.0);
  with_layout(table, columns, [&](auto type, auto has_levels) {
    using T = decltype(type);
    constexpr bool kLevels = decltype(has_levels)::value;
    for (std::int64_t i = begin; i < end; i += kRowsTogether) {
      const auto n_rows = static_cast<int>(std::min<std::int64_t>(kRowsTogether, end - i));
      std::int32_t* out = leaf + (i - begin);
      if (!steps_.empty())
        apply_steps<T, kLevels>(table, i, n_rows, start, out);
      else if (!hyperplanes_.steps.empty())
        apply_hyperplanes<T, kLevels>(table, i, n_rows, start, block.data(), out);
      else
        for (int k = 0; k < n_rows; ++k)
          out[k] = leaf_of<T, kLevels>(table.data + (i + k) * table.row_stride,
                                       table.feature_stride, start);
    }
  });
}

}  // namespace aslant
