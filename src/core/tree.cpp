#include "tree.hpp"

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

void Tree::apply(const Table& table, std::int64_t begin, std::int64_t end, int start,
                 std::int32_t* leaf) const {
  with_layout(table, columns, [&](auto type, auto has_levels) {
    using T = decltype(type);
    constexpr bool kLevels = decltype(has_levels)::value;
    for (std::int64_t i = begin; i < end; ++i) {
      const char* row = table.data + i * table.row_stride;
      int node = start;
      while (row_start[node] != row_start[node + 1]) {
        const int child = child_of<T, kLevels>(test_of(node), columns, row, table.feature_stride);
        node = children[static_cast<std::size_t>(node) * max_children + child];
      }
      leaf[i - begin] = node;
    }
  });
}

}  // namespace aslant
