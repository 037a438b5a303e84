#include "tree/forest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/multiversion.hpp"

namespace aslant {

namespace {

constexpr int kEnoughForNodes = 64;  // rows; fewer descend one by one

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void Forest::add_leaf(const double* value) {
  nodes_.emplace_back();
  nodes_.back().child[0] = nodes_.back().child[1] = static_cast<std::int32_t>(nodes_.size()) - 1;
  double& says = nodes_.back().offset;
  if (width_ == 1) {
    says = value[0];
    return;
  }
  const double* one = std::find(value, value + width_, 1.0);
  if (one != value + width_ && std::count(value, value + width_, 0.0) == width_ - 1) {
    says = -1.0 - static_cast<double>(one - value);
    return;
  }
  says = static_cast<double>(values_.size() / width_);
  values_.insert(values_.end(), value, value + width_);
}

std::int32_t Forest::add_test(const TreeArrays& tree, std::int32_t vector) {
  const std::int64_t begin = tree.coef_start[vector], end = tree.coef_start[vector + 1];
  std::int32_t in_lane[kLanes] = {};
  for (std::int64_t e = begin; e < end; ++e) ++in_lane[tree.coef_column[e] % kLanes];
  Test test;
  test.first = static_cast<std::int32_t>(coef_.size());
  test.n_groups = *std::max_element(in_lane, in_lane + kLanes);
  const std::size_t size = coef_.size() + static_cast<std::size_t>(test.n_groups) * kLanes;
  coef_.resize(size, 0.0);
  fill_.resize(size, 0.0);
  feature_.resize(size, begin < end ? tree.columns.feature[tree.coef_column[begin]] : 0);
  level_.resize(size, -1);
  std::int32_t next[kLanes] = {};
  for (std::int64_t e = begin; e < end; ++e) {
    const std::int32_t column = tree.coef_column[e], lane = column % kLanes;
    const std::int32_t place = test.first + next[lane]++ * kLanes + lane;
    coef_[place] = tree.coef_value[e];
    fill_[place] = tree.coef_fill[e];
    feature_[place] = tree.columns.feature[column];
    level_[place] = tree.columns.level[column];
  }
  tests_.push_back(test);
  return static_cast<std::int32_t>(tests_.size()) - 1;
}

std::int32_t Forest::add_dense_test(const TreeArrays& tree, std::int32_t vector) {
  const auto test = static_cast<std::int32_t>(dense_coef_.size() / stride());
  const std::size_t first = dense_coef_.size();
  dense_coef_.resize(first + stride(), 0.0);
  dense_fill_.resize(first + stride(), 0.0);
  for (std::int64_t e = tree.coef_start[vector]; e < tree.coef_start[vector + 1]; ++e) {
    dense_coef_[first + tree.coef_column[e]] = tree.coef_value[e];
    dense_fill_[first + tree.coef_column[e]] = tree.coef_fill[e];
  }
  return test;
}

void Forest::add_plane(const TreeArrays& tree, std::int32_t vector) {
  const std::int64_t first = tree.coef_start[vector], last = tree.coef_start[vector + 1];
  const std::vector<std::int32_t>& level = tree.columns.level;
  const bool numbers =
      std::all_of(tree.coef_column.begin() + first, tree.coef_column.begin() + last,
                  [&level](std::int32_t column) { return level[column] < 0; });
  PackedNode node;
  node.offset = tree.offset[vector];
  if (numbers && last == first + 1) {
    node.coef = tree.coef_value[first];
    node.place = tree.columns.feature[tree.coef_column[first]];
    node_fill_.back() = tree.coef_fill[first];
  } else if (tree.columns.size() == n_features_ && numbers && worth_a_dense_test(last - first)) {
    node.kind = Kind::dense;  // columns equal features
    node.place = add_dense_test(tree, vector);
  } else {
    node.kind = numbers ? Kind::sparse : Kind::general;
    node.place = add_test(tree, vector);
  }
  nodes_.push_back(node);
}

void Forest::add_machine(const TreeArrays& tree, std::int32_t vector, int n_vectors,
                         const std::int32_t* child) {
  Machine machine{static_cast<std::int32_t>(tests_.size()), {}, {}};
  for (int v = 0; v < n_vectors; ++v) {
    add_test(tree, vector + v);
    machine.offset.push_back(tree.offset[vector + v]);
    machine.child.push_back(root_.back() + child[v]);
  }
  PackedNode node;
  node.kind = Kind::machine;
  node.place = static_cast<std::int32_t>(machines_.size());
  machines_.push_back(std::move(machine));
  nodes_.push_back(node);
}

void Forest::add(const TreeArrays& tree, const double* value) {
  const auto base = static_cast<std::int32_t>(nodes_.size());
  const auto n_nodes = static_cast<std::int32_t>(tree.row_start.size()) - 1;
  root_.push_back(base);
  tests_of_.push_back(Tests::single_numbers);
  for (std::int32_t node = 0; node < n_nodes; ++node) {
    const std::int32_t row = tree.row_start[node], vectors = tree.row_start[node + 1] - row;
    const std::int32_t* child =
        tree.children.data() + static_cast<std::size_t>(node) * tree.max_children;
    node_fill_.push_back(0.0);
    if (vectors == 0) {
      add_leaf(value + static_cast<std::size_t>(node) * width_);
    } else if (vectors == 1) {
      add_plane(tree, row);
      for (int c = 0; c < 2; ++c) nodes_.back().child[c] = base + child[c];
    } else {
      add_machine(tree, row, vectors, child);
    }
    const Kind kind = nodes_.back().kind;
    if (kind != Kind::number)
      tests_of_.back() =
          std::max(tests_of_.back(), kind == Kind::machine ? Tests::any : Tests::planes);
  }
}

// Sums as in linear_test.hpp. NaN if a value is missing.
double Forest::sparse_dot(const Test& test, const double* x) const {
  const double* coef = coef_.data() + test.first;
  const std::int32_t* feature = feature_.data() + test.first;
  double lane[kLanes] = {};
  for (std::int32_t g = 0; g < test.n_groups; ++g, coef += kLanes, feature += kLanes)
    for (int l = 0; l < kLanes; ++l) lane[l] += coef[l] * x[feature[l]];
  return total(lane);
}

double Forest::dot(const Test& test, const double* x) const {
  double lane[kLanes] = {};
  for (std::int32_t g = 0; g < test.n_groups; ++g)
    for (int l = 0; l < kLanes; ++l) {
      const std::int32_t e = test.first + g * kLanes + l;
      double value = x[feature_[e]];
      if (value != value)
        value = fill_[e];
      else if (level_[e] >= 0)
        value = value == level_[e] ? 1.0 : 0.0;
      lane[l] += coef_[e] * value;
    }
  return total(lane);
}

// The same, filling missing values.
double Forest::dense_dot(std::int32_t test, const double* x) const {
  const double* coef = dense_coef_.data() + static_cast<std::size_t>(test) * stride();
  const double* fill = dense_fill_.data() + static_cast<std::size_t>(test) * stride();
  double lane[kLanes] = {};
  for (int j = 0; j < n_features_; ++j)
    if (coef[j] != 0.0) lane[j % kLanes] += coef[j] * (x[j] == x[j] ? x[j] : fill[j]);
  return total(lane);
}

std::int32_t Forest::child_of(const PackedNode& node, const double* x) const {
  if (node.kind == Kind::dense) return node.child[!(dense_dot(node.place, x) <= node.offset)];
  if (node.kind != Kind::machine) return node.child[!(dot(tests_[node.place], x) <= node.offset)];
  const Machine& machine = machines_[node.place];
  std::size_t best = 0;
  double highest = 0.0;
  for (std::size_t v = 0; v < machine.offset.size(); ++v) {
    const double value = dot(tests_[machine.first_test + v], x) + machine.offset[v];
    if (v == 0 || value > highest) {
      highest = value;
      best = v;
    }
  }
  return machine.child[best];
}

// Interleaves several rows to hide memory latency.
ASLANT_MULTIVERSION
void Forest::descend(int tree, const double* block, int n_rows, std::int32_t* at) const {
  constexpr int kTogether = 8;
  const PackedNode* nodes = nodes_.data();
  const bool single = tests_of_[tree] == Tests::single_numbers;
  const int width = stride();
  for (int begin = 0; begin < n_rows; begin += kTogether) {
    const int end = std::min(n_rows, begin + kTogether);
    for (int i = begin; i < end; ++i) at[i] = root_[tree];
    for (std::int32_t moved = 1; moved;) {
      moved = 0;
      for (int i = begin; i < end; ++i) {
        const PackedNode& node = nodes[at[i]];
        const double* x = block + static_cast<std::size_t>(i) * width;
        std::int32_t next;
        if (single || node.kind == Kind::number) {
          double value = x[node.place];
          if (value != value) value = node_fill_[at[i]];
          next = node.child[!(node.coef * value <= node.offset)];
        } else {
          double value = kUnknown;
          if (node.kind == Kind::dense) {
            const double* coef = dense_coef_.data() + static_cast<std::size_t>(node.place) * width;
            Lanes lane = {};
            for (int j = 0; j < width; j += kLanes) add_products(coef + j, x + j, lane);
            value = total(lane);
          } else if (node.kind == Kind::sparse) {
            value = sparse_dot(tests_[node.place], x);
          }
          next = value == value ? node.child[!(value <= node.offset)] : child_of(node, x);
        }
        moved |= next ^ at[i];
        at[i] = next;
      }
    }
  }
}

// The left sides of a node's test; NaN if a value is missing or the test reads levels.
ASLANT_MULTIVERSION
void Forest::evaluate(const PackedNode& node, std::int32_t id, const double* block,
                      const std::int32_t* row, int n, double* value) const {
  const int width = stride();
  if (node.kind == Kind::number) {
    for (int i = 0; i < n; ++i) {
      const double x = block[static_cast<std::size_t>(row[i]) * width + node.place];
      value[i] = node.coef * (x == x ? x : node_fill_[id]);
    }
  } else if (node.kind == Kind::dense) {
    const double* coef = dense_coef_.data() + static_cast<std::size_t>(node.place) * width;
    for (int i = 0; i < n; ++i) {
      const double* x = block + static_cast<std::size_t>(row[i]) * width;
      Lanes lane = {};
      for (int j = 0; j < width; j += kLanes) add_products(coef + j, x + j, lane);
      value[i] = total(lane);
    }
  } else if (node.kind == Kind::sparse) {
    for (int i = 0; i < n; ++i)
      value[i] = sparse_dot(tests_[node.place], block + static_cast<std::size_t>(row[i]) * width);
  } else {
    std::fill(value, value + n, kUnknown);
  }
}

// All rows of a node at once: dispatches on the kind of test and loads its coefficients once.
void Forest::descend_by_node(int tree, const double* block, int n_rows, RowBatch& batch,
                             std::int32_t* at) const {
  std::int32_t *order = batch.order.data(), *aside = batch.aside.data();
  for (int i = 0; i < n_rows; ++i) order[i] = i;
  batch.parts.assign(1, {root_[tree], 0, n_rows});
  while (!batch.parts.empty()) {
    const auto [id, begin, end] = batch.parts.back();
    batch.parts.pop_back();
    const PackedNode& node = nodes_[id];
    if (node.child[0] == id) {
      for (int i = begin; i < end; ++i) at[order[i]] = id;
      continue;
    }
    evaluate(node, id, block, order + begin, end - begin, batch.value.data());
    int middle = begin, n_aside = 0;
    for (int i = begin; i < end; ++i) {
      const std::int32_t row = order[i];
      const double value = batch.value[i - begin];
      bool second = !(value <= node.offset);
      if (value != value && node.kind != Kind::number)
        second = child_of(node, block + static_cast<std::size_t>(row) * stride()) != node.child[0];
      order[middle] = row;
      aside[n_aside] = row;
      middle += !second;
      n_aside += second;
    }
    std::copy(aside, aside + n_aside, order + middle);
    if (middle < end) batch.parts.push_back({node.child[1], middle, end});
    if (begin < middle) batch.parts.push_back({node.child[0], begin, middle});
  }
}

// As many as stay in the L2 cache while all trees pass: each block reloads every tree.
int Forest::rows_together() const {
  return std::max(8, std::min(kMostRowsTogether, (1 << 17) / n_features_));
}

void Forest::copy_rows(const Table& table, std::int64_t begin, int n_rows, double* block) const {
  if (table.is_sparse()) {
    for (std::int64_t row = begin; row < begin + n_rows; ++row, block += stride()) {
      std::fill_n(block, n_features_, 0.0);
      for (std::int64_t e = table.row_begin[row]; e < table.row_begin[row + 1]; ++e)
        block[table.feature_of[e]] = table.value(e);
    }
    return;
  }
  for (int i = 0; i < n_rows; ++i, block += stride())
    for (int f = 0; f < n_features_; ++f) block[f] = table.at(begin + i, f);
}

// Calls visit(tree, row, leaf), by row, then by tree.
template <class Visit>
void Forest::for_each_leaf(const Table& table, std::int64_t begin, std::int64_t end,
                           const Visit& visit) const {
  const auto together = static_cast<int>(std::min<std::int64_t>(rows_together(), end - begin));
  std::vector<double> block(static_cast<std::size_t>(together) * stride(), 0.0);
  std::vector<std::int32_t> at(together);
  RowBatch batch(together);
  for (std::int64_t first = begin; first < end; first += together) {
    const auto n_rows = static_cast<int>(std::min<std::int64_t>(together, end - first));
    copy_rows(table, first, n_rows, block.data());
    for (int t = 0; t < n_trees(); ++t) {
      if (tests_of_[t] == Tests::planes && n_rows >= kEnoughForNodes)
        descend_by_node(t, block.data(), n_rows, batch, at.data());
      else
        descend(t, block.data(), n_rows, at.data());
      for (int i = 0; i < n_rows; ++i) visit(t, first + i, at[i]);
    }
  }
}

void Forest::predict(const Table& table, std::int64_t begin, std::int64_t end, double* sums,
                     const std::vector<std::vector<bool>>* drawn, std::int32_t* n_asked) const {
  for_each_leaf(table, begin, end, [&](int tree, std::int64_t row, std::int32_t leaf) {
    if (drawn && (*drawn)[tree][row]) return;
    if (n_asked) ++n_asked[row];
    double* sum = sums + row * width_;
    if (width_ == 1) {
      sum[0] += nodes_[leaf].offset;
      return;
    }
    const auto said = static_cast<std::int64_t>(nodes_[leaf].offset);
    if (said < 0) {
      sum[-1 - said] += 1.0;
      return;
    }
    const double* value = &values_[static_cast<std::size_t>(said) * width_];
    for (int k = 0; k < width_; ++k) sum[k] += value[k];
  });
}

void Forest::apply(const Table& table, std::int64_t begin, std::int64_t end,
                   std::int32_t* leaves) const {
  for_each_leaf(table, begin, end, [&](int tree, std::int64_t row, std::int32_t leaf) {
    leaves[row * n_trees() + tree] = leaf - root_[tree];
  });
}

}  // namespace aslant
