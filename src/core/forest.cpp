#include "forest.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "rng.hpp"

namespace aslant {

namespace {

// The purposes of a tree's seed.
constexpr std::uint64_t kDrawing = 0, kGrowing = 1;

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
                      subkey(seeds[t], kGrowing), 1, [&](std::int64_t) { supervisor.check(); });
      trees[t].rows = {};
      trees[t].row_begin = {};
      ++done;
    });
  } catch (...) {
    supervisor.rethrow_cause();
    throw;
  }
  return trees;
}

Forest::Step Forest::leaf(std::int32_t number, const double* value) {
  Step step;
  step.child[0] = number;
  const double* one = std::find(value, value + width_, 1.0);
  if (one != value + width_ && std::count(value, value + width_, 0.0) == width_ - 1) {
    step.child[1] = -1 - static_cast<std::int32_t>(one - value);
    return step;
  }
  step.child[1] = static_cast<std::int32_t>(values_.size() / width_);
  values_.insert(values_.end(), value, value + width_);
  return step;
}

std::int32_t Forest::add_test(const TreeArrays& tree, std::int32_t vector) {
  Test test;
  for (int lane = 0; lane < kLanes; ++lane) {
    test.begin[lane] = static_cast<std::int32_t>(coef_.size());
    for (std::int64_t e = tree.coef_start[vector]; e < tree.coef_start[vector + 1]; ++e) {
      const std::int32_t column = tree.coef_column[e];
      if (column % kLanes != lane) continue;
      coef_.push_back(tree.coef_value[e]);
      fill_.push_back(tree.coef_fill[e]);
      feature_.push_back(tree.columns.feature[column]);
      level_.push_back(tree.columns.level[column]);
    }
  }
  test.begin[kLanes] = static_cast<std::int32_t>(coef_.size());
  tests_.push_back(test);
  return static_cast<std::int32_t>(tests_.size()) - 1;
}

Forest::Step Forest::test(const TreeArrays& tree, std::int32_t vector) {
  const std::int64_t first = tree.coef_start[vector], last = tree.coef_start[vector + 1];
  const std::vector<std::int32_t>& level = tree.columns.level;
  const bool numbers =
      std::all_of(tree.coef_column.begin() + first, tree.coef_column.begin() + last,
                  [&level](std::int32_t column) { return level[column] < 0; });
  Step step;
  step.offset = tree.offset[vector];
  if (numbers && last == first + 1) {
    step.kind = Kind::number;
    step.coef = tree.coef_value[first];
    step.place = tree.columns.feature[tree.coef_column[first]];
    step_fill_.back() = tree.coef_fill[first];
  } else {
    step.kind = numbers ? Kind::numbers : Kind::general;
    step.place = add_test(tree, vector);
  }
  return step;
}

void Forest::add(const TreeArrays& tree, const double* value) {
  const auto base = static_cast<std::int32_t>(steps_.size());
  const auto n_nodes = static_cast<std::int32_t>(tree.row_start.size()) - 1;
  root_.push_back(base);
  for (std::int32_t node = 0; node < n_nodes; ++node) {
    const std::int32_t row = tree.row_start[node], vectors = tree.row_start[node + 1] - row;
    const std::int32_t* child =
        tree.children.data() + static_cast<std::size_t>(node) * tree.max_children;
    step_fill_.push_back(0.0);
    if (vectors == 0) {
      steps_.push_back(leaf(node, value + static_cast<std::size_t>(node) * width_));
    } else if (vectors == 1) {
      steps_.push_back(test(tree, row));
      steps_.back().child[0] = base + child[0];
      steps_.back().child[1] = base + child[1];
    } else {
      Machine machine{static_cast<std::int32_t>(tests_.size()), {}, {}};
      for (std::int32_t v = 0; v < vectors; ++v) {
        add_test(tree, row + v);
        machine.offset.push_back(tree.offset[row + v]);
        machine.child.push_back(base + child[v]);
      }
      Step step;
      step.kind = Kind::machine;
      step.place = static_cast<std::int32_t>(machines_.size());
      machines_.push_back(std::move(machine));
      steps_.push_back(step);
    }
  }
}

// The sums are those of linear_test.hpp. Not a number if a value is missing.
double Forest::dot_of_numbers(const Test& test, const double* x) const {
  const double* coef = coef_.data();
  const std::int32_t* feature = feature_.data();
  double lane[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    double sum = 0.0;
    for (std::int32_t e = test.begin[l]; e < test.begin[l + 1]; ++e) sum += coef[e] * x[feature[e]];
    lane[l] = sum;
  }
  return total(lane);
}

double Forest::dot(const Test& test, const double* x) const {
  double lane[kLanes] = {};
  for (int l = 0; l < kLanes; ++l)
    for (std::int32_t e = test.begin[l]; e < test.begin[l + 1]; ++e) {
      double value = x[feature_[e]];
      if (value != value)
        value = fill_[e];
      else if (level_[e] >= 0)
        value = value == level_[e] ? 1.0 : 0.0;
      lane[l] += coef_[e] * value;
    }
  return total(lane);
}

std::int32_t Forest::child_of(const Step& step, const double* x) const {
  if (step.kind != Kind::machine) {
    double value = step.kind == Kind::numbers ? dot_of_numbers(tests_[step.place], x)
                                              : dot(tests_[step.place], x);
    if (value != value) value = dot(tests_[step.place], x);
    return step.child[!(value <= step.offset)];
  }
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

// Several rows descend together: while one waits for memory, the others go on. Those that have
// arrived leave their place to the last of the others.
void Forest::descend(std::int32_t root, const double* block, int n_rows, std::int32_t* at) const {
  constexpr int kTogether = 16;
  const Step* steps = steps_.data();
  for (int begin = 0; begin < n_rows; begin += kTogether) {
    int under_way[kTogether];
    int n_under_way = std::min(kTogether, n_rows - begin);
    for (int i = 0; i < n_under_way; ++i) {
      under_way[i] = begin + i;
      at[begin + i] = root;
    }
    while (n_under_way > 0)
      for (int i = 0; i < n_under_way; ++i) {
        const int row = under_way[i];
        const Step& step = steps[at[row]];
        const double* x = block + static_cast<std::size_t>(row) * n_features_;
        if (step.kind == Kind::number) {
          double value = x[step.place];
          if (value != value) value = step_fill_[at[row]];
          at[row] = step.child[!(step.coef * value <= step.offset)];
        } else if (step.kind != Kind::leaf) {
          at[row] = child_of(step, x);
        } else {
          under_way[i--] = under_way[--n_under_way];
        }
      }
  }
}

// As many as stay in cache while all trees pass.
int Forest::rows_together() const {
  return std::max(8, std::min(256, (1 << 14) / n_features_));
}

void Forest::copy_rows(const Table& table, std::int64_t begin, int n_rows, double* block) const {
  for (int i = 0; i < n_rows; ++i)
    for (int f = 0; f < n_features_; ++f) *block++ = table.at(begin + i, f);
}

// Calls visit(tree, row, leaf) for each row and then for each tree.
template <class Visit>
void Forest::for_each_leaf(const Table& table, std::int64_t begin, std::int64_t end,
                           const Visit& visit) const {
  const int together = rows_together();
  std::vector<double> block(static_cast<std::size_t>(together) * n_features_);
  std::vector<std::int32_t> at(together);
  for (std::int64_t first = begin; first < end; first += together) {
    const auto n_rows = static_cast<int>(std::min<std::int64_t>(together, end - first));
    copy_rows(table, first, n_rows, block.data());
    for (int t = 0; t < n_trees(); ++t) {
      descend(root_[t], block.data(), n_rows, at.data());
      for (int i = 0; i < n_rows; ++i) visit(t, first + i, steps_[at[i]]);
    }
  }
}

void Forest::predict(const Table& table, std::int64_t begin, std::int64_t end, double* sums,
                     const std::vector<std::vector<bool>>* drawn, std::int32_t* n_asked) const {
  for_each_leaf(table, begin, end, [&](int tree, std::int64_t row, const Step& leaf) {
    if (drawn && (*drawn)[tree][row]) return;
    if (n_asked) ++n_asked[row];
    double* sum = sums + row * width_;
    if (leaf.child[1] < 0) {
      sum[-1 - leaf.child[1]] += 1.0;
      return;
    }
    const double* value = &values_[static_cast<std::size_t>(leaf.child[1]) * width_];
    for (int k = 0; k < width_; ++k) sum[k] += value[k];
  });
}

void Forest::apply(const Table& table, std::int64_t begin, std::int64_t end,
                   std::int32_t* leaves) const {
  for_each_leaf(table, begin, end, [&](int tree, std::int64_t row, const Step& leaf) {
    leaves[row * n_trees() + tree] = leaf.child[0];
  });
}

}  // namespace aslant
