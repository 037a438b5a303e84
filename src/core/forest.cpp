#include "forest.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "multiversion.hpp"
#include "rng.hpp"

namespace aslant {

namespace {

// The purposes of a tree's seed.
constexpr std::uint64_t kDrawing = 0, kGrowing = 1;

constexpr int kEnoughForNodes = 64;  // rows; fewer go down a tree one by one

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Every class weighs as much as the others in what was drawn.
std::shared_ptr<const Data> balanced(const Data& data, const std::vector<std::uint32_t>& rows) {
  auto copy = std::make_shared<Data>(data);
  Target& target = copy->target;
  std::vector<double> in_class(target.n_classes, 0.0);
  for (std::uint32_t row : rows) in_class[target.label[row]] += 1.0;
  const auto present = static_cast<double>(std::count_if(
      in_class.begin(), in_class.end(), [](double rows_there) { return rows_there > 0.0; }));
  if (target.weight.empty()) target.weight.assign(target.label.size(), 1.0);
  for (std::size_t i = 0; i < target.label.size(); ++i) {
    const double rows_there = in_class[target.label[i]];
    if (rows_there > 0.0)
      target.weight[i] *= static_cast<double>(rows.size()) / (present * rows_there);
  }
  target.find_units();
  return copy;
}

std::shared_ptr<const Problem> problem_of(const std::shared_ptr<const Data>& data,
                                          const Rules& rules, const Bootstrap& bootstrap,
                                          std::uint64_t seed) {
  if (bootstrap.n_drawn == 0) return std::make_shared<Problem>(data, rules);
  const std::vector<std::uint32_t> rows = drawn_rows(seed, data->table.n_rows, bootstrap.n_drawn);
  return std::make_shared<Problem>(bootstrap.balanced ? balanced(*data, rows) : data, rows, rules);
}

// Keeps what a member of a forest needs.
void trim(Growth& tree) {
  tree.rows = {};
  tree.row_begin = {};
  tree.gain = {};
}

}  // namespace

std::vector<std::uint32_t> drawn_rows(std::uint64_t seed, std::int64_t n_rows,
                                      std::int64_t n_drawn) {
  Rng rng(subkey(seed, kDrawing));
  std::vector<std::uint32_t> rows(n_drawn);
  for (std::uint32_t& row : rows)
    row = static_cast<std::uint32_t>(rng.below(static_cast<int>(n_rows)));
  return rows;
}

std::vector<Growth> grow_forest(const std::shared_ptr<const Data>& data, const Rules& rules,
                                const Bootstrap& bootstrap, const Search& search,
                                const StoppingRules& stopping,
                                const std::vector<std::uint64_t>& seeds, int n_threads,
                                std::function<void(std::int64_t)> look_outside) {
  std::vector<Growth> trees(seeds.size());
  std::atomic<std::int64_t> done{0};
  Supervisor supervisor([&] { look_outside(done); });
  const auto n_trees = static_cast<int>(seeds.size());
  try {
    ThreadPool pool(std::min(n_threads, n_trees), supervisor);
    pool.for_each(n_trees, [&](int t) {
      supervisor.check();
      trees[t] = grow(problem_of(data, rules, bootstrap, seeds[t]), search, stopping,
                      {scramble(subkey(seeds[t], kGrowing))}, 1,
                      [&](std::int64_t) { supervisor.check(); });
      trim(trees[t]);
      ++done;
    });
  } catch (...) {
    supervisor.rethrow_cause();
    throw;
  }
  return trees;
}

void Forest::add_leaf(const double* value) {
  steps_.emplace_back();
  steps_.back().child[0] = steps_.back().child[1] = static_cast<std::int32_t>(steps_.size()) - 1;
  double& says = steps_.back().offset;
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
  Step step;
  step.offset = tree.offset[vector];
  if (numbers && last == first + 1) {
    step.coef = tree.coef_value[first];
    step.place = tree.columns.feature[tree.coef_column[first]];
    step_fill_.back() = tree.coef_fill[first];
  } else if (tree.columns.size() == n_features_ && numbers && worth_a_dense_test(last - first)) {
    step.kind = Kind::dense;  // columns and features are the same
    step.place = add_dense_test(tree, vector);
  } else {
    step.kind = numbers ? Kind::sparse : Kind::general;
    step.place = add_test(tree, vector);
  }
  steps_.push_back(step);
}

void Forest::add_machine(const TreeArrays& tree, std::int32_t vector, int n_vectors,
                         const std::int32_t* child) {
  Machine machine{static_cast<std::int32_t>(tests_.size()), {}, {}};
  for (int v = 0; v < n_vectors; ++v) {
    add_test(tree, vector + v);
    machine.offset.push_back(tree.offset[vector + v]);
    machine.child.push_back(root_.back() + child[v]);
  }
  Step step;
  step.kind = Kind::machine;
  step.place = static_cast<std::int32_t>(machines_.size());
  machines_.push_back(std::move(machine));
  steps_.push_back(step);
}

void Forest::add(const TreeArrays& tree, const double* value) {
  const auto base = static_cast<std::int32_t>(steps_.size());
  const auto n_nodes = static_cast<std::int32_t>(tree.row_start.size()) - 1;
  root_.push_back(base);
  tests_of_.push_back(Tests::single_numbers);
  for (std::int32_t node = 0; node < n_nodes; ++node) {
    const std::int32_t row = tree.row_start[node], vectors = tree.row_start[node + 1] - row;
    const std::int32_t* child =
        tree.children.data() + static_cast<std::size_t>(node) * tree.max_children;
    step_fill_.push_back(0.0);
    if (vectors == 0) {
      add_leaf(value + static_cast<std::size_t>(node) * width_);
    } else if (vectors == 1) {
      add_plane(tree, row);
      for (int c = 0; c < 2; ++c) steps_.back().child[c] = base + child[c];
    } else {
      add_machine(tree, row, vectors, child);
    }
    const Kind kind = steps_.back().kind;
    if (kind != Kind::number)
      tests_of_.back() =
          std::max(tests_of_.back(), kind == Kind::machine ? Tests::any : Tests::planes);
  }
}

// The sums are those of linear_test.hpp. Not a number if a value is missing.
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

// With what stands in for missing values.
double Forest::dense_dot(std::int32_t test, const double* x) const {
  const double* coef = dense_coef_.data() + static_cast<std::size_t>(test) * stride();
  const double* fill = dense_fill_.data() + static_cast<std::size_t>(test) * stride();
  double lane[kLanes] = {};
  for (int j = 0; j < n_features_; ++j)
    if (coef[j] != 0.0) lane[j % kLanes] += coef[j] * (x[j] == x[j] ? x[j] : fill[j]);
  return total(lane);
}

std::int32_t Forest::child_of(const Step& step, const double* x) const {
  if (step.kind == Kind::dense) return step.child[!(dense_dot(step.place, x) <= step.offset)];
  if (step.kind != Kind::machine) return step.child[!(dot(tests_[step.place], x) <= step.offset)];
  const Machine& machine = machines_[step.place];
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

// Several rows descend together: while one waits for memory, the others go on.
ASLANT_MULTIVERSION
void Forest::descend(int tree, const double* block, int n_rows, std::int32_t* at) const {
  constexpr int kTogether = 8;
  const Step* steps = steps_.data();
  const bool single = tests_of_[tree] == Tests::single_numbers;
  const int width = stride();
  for (int begin = 0; begin < n_rows; begin += kTogether) {
    const int end = std::min(n_rows, begin + kTogether);
    for (int i = begin; i < end; ++i) at[i] = root_[tree];
    for (std::int32_t moved = 1; moved;) {
      moved = 0;
      for (int i = begin; i < end; ++i) {
        const Step& step = steps[at[i]];
        const double* x = block + static_cast<std::size_t>(i) * width;
        std::int32_t next;
        if (single || step.kind == Kind::number) {
          double value = x[step.place];
          if (value != value) value = step_fill_[at[i]];
          next = step.child[!(step.coef * value <= step.offset)];
        } else {
          double value = kUnknown;
          if (step.kind == Kind::dense) {
            const double* coef = dense_coef_.data() + static_cast<std::size_t>(step.place) * width;
            Lanes lane = {};
            for (int j = 0; j < width; j += kLanes) add_products(coef + j, x + j, lane);
            value = total(lane);
          } else if (step.kind == Kind::sparse) {
            value = sparse_dot(tests_[step.place], x);
          }
          next = value == value ? step.child[!(value <= step.offset)] : child_of(step, x);
        }
        moved |= next ^ at[i];
        at[i] = next;
      }
    }
  }
}

// The left sides of a node's test; not a number where a value is missing, or the test is of levels.
ASLANT_MULTIVERSION
void Forest::evaluate(const Step& step, std::int32_t node, const double* block,
                      const std::int32_t* row, int n, double* value) const {
  const int width = stride();
  if (step.kind == Kind::number) {
    for (int i = 0; i < n; ++i) {
      const double x = block[static_cast<std::size_t>(row[i]) * width + step.place];
      value[i] = step.coef * (x == x ? x : step_fill_[node]);
    }
  } else if (step.kind == Kind::dense) {
    const double* coef = dense_coef_.data() + static_cast<std::size_t>(step.place) * width;
    for (int i = 0; i < n; ++i) {
      const double* x = block + static_cast<std::size_t>(row[i]) * width;
      Lanes lane = {};
      for (int j = 0; j < width; j += kLanes) add_products(coef + j, x + j, lane);
      value[i] = total(lane);
    }
  } else if (step.kind == Kind::sparse) {
    for (int i = 0; i < n; ++i)
      value[i] = sparse_dot(tests_[step.place], block + static_cast<std::size_t>(row[i]) * width);
  } else {
    std::fill(value, value + n, kUnknown);
  }
}

// All rows of a node at a time: what kind of test it has is asked once for them, and its
// coefficients are fetched once.
void Forest::descend_by_node(int tree, const double* block, int n_rows, Crowd& crowd,
                             std::int32_t* at) const {
  std::int32_t *order = crowd.order.data(), *aside = crowd.aside.data();
  for (int i = 0; i < n_rows; ++i) order[i] = i;
  crowd.parts.assign(1, {root_[tree], 0, n_rows});
  while (!crowd.parts.empty()) {
    const auto [node, begin, end] = crowd.parts.back();
    crowd.parts.pop_back();
    const Step& step = steps_[node];
    if (step.child[0] == node) {
      for (int i = begin; i < end; ++i) at[order[i]] = node;
      continue;
    }
    evaluate(step, node, block, order + begin, end - begin, crowd.value.data());
    int middle = begin, n_aside = 0;
    for (int i = begin; i < end; ++i) {
      const std::int32_t row = order[i];
      const double value = crowd.value[i - begin];
      bool second = !(value <= step.offset);
      if (value != value && step.kind != Kind::number)
        second = child_of(step, block + static_cast<std::size_t>(row) * stride()) != step.child[0];
      order[middle] = row;
      aside[n_aside] = row;
      middle += !second;
      n_aside += second;
    }
    std::copy(aside, aside + n_aside, order + middle);
    if (middle < end) crowd.parts.push_back({step.child[1], middle, end});
    if (begin < middle) crowd.parts.push_back({step.child[0], begin, middle});
  }
}

// As many as stay in the second level of the cache while all trees pass: each tree is fetched anew
// for them.
int Forest::rows_together() const {
  return std::max(8, std::min(kMostRowsTogether, (1 << 17) / n_features_));
}

void Forest::copy_rows(const Table& table, std::int64_t begin, int n_rows, double* block) const {
  for (int i = 0; i < n_rows; ++i, block += stride())
    for (int f = 0; f < n_features_; ++f) block[f] = table.at(begin + i, f);
}

// Calls visit(tree, row, leaf) for each row and then for each tree.
template <class Visit>
void Forest::for_each_leaf(const Table& table, std::int64_t begin, std::int64_t end,
                           const Visit& visit) const {
  const auto together = static_cast<int>(std::min<std::int64_t>(rows_together(), end - begin));
  std::vector<double> block(static_cast<std::size_t>(together) * stride(), 0.0);
  std::vector<std::int32_t> at(together);
  Crowd crowd(together);
  for (std::int64_t first = begin; first < end; first += together) {
    const auto n_rows = static_cast<int>(std::min<std::int64_t>(together, end - first));
    copy_rows(table, first, n_rows, block.data());
    for (int t = 0; t < n_trees(); ++t) {
      if (tests_of_[t] == Tests::planes && n_rows >= kEnoughForNodes)
        descend_by_node(t, block.data(), n_rows, crowd, at.data());
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
      sum[0] += steps_[leaf].offset;
      return;
    }
    const auto said = static_cast<std::int64_t>(steps_[leaf].offset);
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
