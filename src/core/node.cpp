#include "node.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <unordered_set>

#include "moments.hpp"
#include "rng.hpp"

namespace aslant {

namespace {

constexpr std::size_t kBlock = 256;  // rows gathered at a time: a block stays in cache
constexpr double kLarge = 1e100, kSmall = 1e-100;  // beyond these, see Node::tame

template <class T>
void gather_column(const Table& table, const std::uint32_t* rows, std::size_t n, int feature,
                   double* out) {
  const char* base = table.data + feature * table.feature_stride;
  for (std::size_t i = 0; i < n; ++i)
    out[i] = static_cast<double>(*reinterpret_cast<const T*>(
        base + static_cast<std::ptrdiff_t>(rows[i]) * table.row_stride));
}

}  // namespace

void Problem::survey() {
  has_missing.assign(table.n_features, 0);
  has_extreme.assign(table.n_features, 0);
  for (std::int64_t row = 0; row < table.n_rows; ++row)
    for (int f = 0; f < table.n_features; ++f) {
      const double size = std::abs(table.at(row, f));
      if (size < kLarge && size > kSmall) continue;
      if (std::isnan(size))
        has_missing[f] = 1;
      else if (size != 0.0)
        has_extreme[f] = 1;
    }
  const bool any_missing = std::count(has_missing.begin(), has_missing.end(), 1) > 0;
  if (!any_missing && !fill_with_training_mean) return;
  training_mean.resize(columns.size());
  for (int j = 0; j < columns.size(); ++j) training_mean[j] = mean_of_present(j);
}

double Problem::mean_of_present(int j) const {
  RunningMean present;
  for (std::int64_t row = 0; row < table.n_rows; ++row) {
    const double x = table.at(row, columns.feature[j]);
    if (std::isnan(x)) continue;
    const double value = columns.level[j] < 0 ? x : (x == columns.level[j] ? 1.0 : 0.0);
    present.add(value, weight_of(row));
  }
  return present.mean();
}

const TrainingSpread& Problem::spread() const {
  std::call_once(spread_known_, [this] {
    for (int j = 0; j < columns.size(); ++j) spread_.deviation.push_back(deviation_of_present(j));
    spread_.distinct_rows = count_distinct_rows();
  });
  return spread_;
}

double Problem::deviation_of_present(int j) const {
  const int feature = columns.feature[j];
  int exponent = 0;  // squares of extreme values would overflow: see Node::tame
  if (has_extreme[feature]) {
    double largest = 0.0;
    for (std::int64_t row = 0; row < table.n_rows; ++row)
      largest = std::fmax(largest, std::abs(table.at(row, feature)));
    exponent = std::ilogb(largest);
  }
  const auto add_present = [&](const auto& of_value) {
    RunningMean present;
    for (std::int64_t row = 0; row < table.n_rows; ++row) {
      const double x = table.at(row, feature);
      if (std::isnan(x)) continue;
      const double value = columns.level[j] < 0 ? x : (x == columns.level[j] ? 1.0 : 0.0);
      present.add(of_value(exponent == 0 ? value : std::ldexp(value, -exponent)), weight_of(row));
    }
    return present.mean();
  };
  const double mean = add_present([](double value) { return value; });
  const double squares = add_present([mean](double x) { return (x - mean) * (x - mean); });
  return std::ldexp(std::sqrt(squares), exponent);
}

// By a key of 64 bits: it only steers searches, so that two rows in 2^64 may share one.
std::size_t Problem::count_distinct_rows() const {
  std::vector<std::uint64_t> keys(table.n_rows, 0);
  for (std::int64_t row = 0; row < table.n_rows; ++row)
    for (int f = 0; f < table.n_features; ++f) keys[row] = content_key(keys[row], table.at(row, f));
  std::sort(keys.begin(), keys.end());
  return std::unique(keys.begin(), keys.end()) - keys.begin();
}

Node::Node(std::shared_ptr<const Problem> problem, const std::uint32_t* rows, std::size_t n_rows,
           std::vector<double> class_weight, bool expand_categories)
    : problem_(std::move(problem)),
      n_rows_(n_rows),
      expanded_(expand_categories),
      class_weight_(std::move(class_weight)) {
  total_weight_ = 0.0;
  for (double weight : class_weight_) total_weight_ += weight;
  label_.resize(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) label_[i] = problem_->label[rows[i]];
  if (!problem_->weight.empty()) {
    weight_.resize(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) weight_[i] = problem_->weight[rows[i]];
  }
  number_present_classes();
  gather_numeric(rows);
  gather_groups(rows);
}

Node::Node(const Node& other, std::vector<double> values)
    : problem_(other.problem_),
      n_rows_(other.n_rows_),
      values_(std::move(values)),
      expanded_(true),
      derived_(true),
      label_(other.label_),
      weight_(other.weight_),
      class_weight_(other.class_weight_),
      present_label_(other.present_label_),
      present_weight_(other.present_weight_),
      total_weight_(other.total_weight_) {
  for (std::size_t begin = 0; begin < values_.size(); begin += n_rows_) {
    numeric_.push_back(static_cast<int>(offset_.size()));
    offset_.push_back(begin);
  }
}

Node::Node(const Node& other, const std::vector<std::uint32_t>& rows)
    : problem_(other.problem_),
      n_rows_(rows.size()),
      numeric_(other.numeric_),
      groups_(other.groups_),
      expanded_(other.expanded_),
      derived_(other.derived_),
      class_weight_(other.n_classes(), 0.0),
      filled_(other.filled_),
      exponent_(other.exponent_) {
  for (std::size_t offset : other.offset_) offset_.push_back(offset / other.n_rows_ * n_rows_);
  values_.reserve(other.values_.size() / other.n_rows_ * n_rows_);
  for (std::size_t begin = 0; begin < other.values_.size(); begin += other.n_rows_)
    for (std::uint32_t row : rows) values_.push_back(other.values_[begin + row]);
  for (CategoryGroup& group : groups_) {
    for (std::size_t i = 0; i < n_rows_; ++i) group.code[i] = group.code[rows[i]];
    group.code.resize(n_rows_);
  }
  for (std::uint32_t row : rows) {
    label_.push_back(other.label_[row]);
    if (!other.weight_.empty()) weight_.push_back(other.weight_[row]);
    class_weight_[other.label_[row]] += other.weight_of(row);
  }
  total_weight_ = 0.0;
  for (double weight : class_weight_) total_weight_ += weight;
  number_present_classes();
}

// Deep in a tree few of many classes are left, and sweeps take as long as there are classes.
void Node::number_present_classes() {
  std::vector<std::int32_t> number(n_classes(), -1);
  for (std::int32_t label : label_) number[label] = 0;
  for (int k = 0; k < n_classes(); ++k) {
    if (number[k] < 0) continue;
    number[k] = static_cast<std::int32_t>(present_weight_.size());
    present_weight_.push_back(class_weight_[k]);
  }
  if (static_cast<int>(present_weight_.size()) == n_classes()) return;
  present_label_.resize(n_rows_);
  for (std::size_t i = 0; i < n_rows_; ++i) present_label_[i] = number[label_[i]];
}

void Node::gather_numeric(const std::uint32_t* rows) {
  const Columns& columns = problem_->columns;
  offset_.assign(columns.size(), 0);
  std::size_t size = 0;
  for (int j = 0; j < columns.size(); ++j) {
    if (columns.level[j] >= 0 && !expanded_) continue;
    offset_[j] = size;
    size += n_rows_;
    if (columns.level[j] < 0) numeric_.push_back(j);
  }
  values_.resize(size);
  for (std::size_t begin = 0; begin < n_rows_; begin += kBlock) {
    const std::size_t n = std::min(kBlock, n_rows_ - begin);
    for (int j : numeric_) {
      double* out = &values_[offset_[j] + begin];
      if (problem_->table.single_precision)
        gather_column<float>(problem_->table, rows + begin, n, columns.feature[j], out);
      else
        gather_column<double>(problem_->table, rows + begin, n, columns.feature[j], out);
    }
  }
  for (int j : numeric_) {
    if (problem_->has_missing[columns.feature[j]]) fill_missing(j);
    if (problem_->has_extreme[columns.feature[j]]) tame(j);
  }
}

void Node::fill_missing(int j) {
  double* values = &values_[offset_[j]];
  if (std::none_of(values, values + n_rows_, [](double x) { return std::isnan(x); })) return;
  RunningMean present;
  for (std::size_t i = 0; i < n_rows_; ++i)
    if (!std::isnan(values[i])) present.add(values[i], weight_of(i));
  const bool training = problem_->fill_with_training_mean || present.weight() == 0.0;
  const double mean = training ? problem_->training_mean[j] : present.mean();
  for (std::size_t i = 0; i < n_rows_; ++i)
    if (std::isnan(values[i])) values[i] = mean;
  filled_.push_back({j, mean, training ? 1.0 : present.weight() / total_weight_});
}

// Products and sums of values near the limits of double precision overflow or vanish. Such a column
// is scaled by a power of two, which is exact, and the split is scaled back.
void Node::tame(int j) {
  double* values = &values_[offset_[j]];
  double largest = 0.0;
  for (std::size_t i = 0; i < n_rows_; ++i) largest = std::max(largest, std::abs(values[i]));
  if (largest == 0.0 || (largest > kSmall && largest < kLarge)) return;
  const int exponent = std::max(-1000, std::min(1000, std::ilogb(largest)));
  for (std::size_t i = 0; i < n_rows_; ++i) values[i] = std::ldexp(values[i], -exponent);
  exponent_.emplace_back(j, exponent);
}

void Node::gather_groups(const std::uint32_t* rows) {
  const Columns& columns = problem_->columns;
  for (int j = 0; j < columns.size();) {
    if (columns.level[j] < 0) {
      ++j;
      continue;
    }
    CategoryGroup group{j, 0, {}, {}, 1.0};
    while (j < columns.size() && columns.feature[j] == columns.feature[group.first_column]) ++j;
    group.n_levels = j - group.first_column;
    group.code.resize(n_rows_);
    group.fill.assign(group.n_levels, 0.0);
    double present = 0.0;
    for (std::size_t i = 0; i < n_rows_; ++i) {
      const double code = problem_->table.at(rows[i], columns.feature[group.first_column]);
      group.code[i] = std::isnan(code) ? -1 : static_cast<std::int32_t>(code);
      if (group.code[i] < 0) continue;
      group.fill[group.code[i]] += weight_of(i);
      present += weight_of(i);
    }
    const bool training = problem_->fill_with_training_mean || present == 0.0;
    if (!training) group.share_present = present / total_weight_;
    for (int level = 0; level < group.n_levels; ++level)
      group.fill[level] = training ? problem_->training_mean[group.first_column + level]
                                   : group.fill[level] / present;
    if (expanded_)
      for (int level = 0; level < group.n_levels; ++level) {
        double* out = &values_[offset_[group.first_column + level]];
        for (std::size_t i = 0; i < n_rows_; ++i)
          out[i] = group.code[i] < 0 ? group.fill[level] : (group.code[i] == level ? 1.0 : 0.0);
      }
    groups_.push_back(std::move(group));
  }
}

std::vector<double> Node::projection(const std::vector<double>& coef) const {
  std::vector<double> sum(n_rows_, 0.0);
  for (int j = 0; j < n_columns(); ++j) {
    if (coef[j] == 0.0) continue;
    const double* x = column(j);
    for (std::size_t i = 0; i < n_rows_; ++i) sum[i] += coef[j] * x[i];
  }
  return sum;
}

bool Node::best_along(const std::vector<double>& coef, LineSearch search, Split& split) const {
  const std::vector<double> projections = projection(coef);
  const auto best = search.threshold(projections.data(), rounding(projections));
  if (!best) return false;
  split = hyperplane(coef, best->alpha, best->score);
  return split.finite();
}

std::optional<double> Node::score(const std::vector<double>& class_weight0,
                                  std::int64_t rows0) const {
  const auto rows1 = static_cast<std::int64_t>(n_rows_) - rows0;
  double weight0 = 0.0;
  for (double weight : class_weight0) weight0 += weight;
  if (rows0 < limits().rows || rows1 < limits().rows || weight0 < limits().weight ||
      total_weight_ - weight0 < limits().weight)
    return std::nullopt;
  return partition_score(criterion(), class_weight0.data(), class_weight_.data(), n_classes());
}

std::vector<std::vector<double>> Node::children_of(const Split& split) const {
  const std::size_t width = split.columns.size();
  std::vector<std::vector<double>> children(split.n_children(),
                                            std::vector<double>(n_classes(), 0.0));
  for (std::size_t i = 0; i < n_rows_; ++i) {
    int child = 0;
    double highest = 0.0;
    for (int v = 0; v < split.n_vectors(); ++v) {
      double sum = 0.0;
      for (std::size_t c = 0; c < width; ++c)
        sum += split.coefs[v * width + c] * column(split.columns[c])[i];
      if (split.n_vectors() == 1) {
        child = sum <= split.offsets[0] ? 0 : 1;
      } else if (v == 0 || sum + split.offsets[v] > highest) {
        highest = sum + split.offsets[v];
        child = v;
      }
    }
    children[child][label_[i]] += weight_of(i);
  }
  return children;
}

double Node::accuracy(const std::vector<std::vector<double>>& children) const {
  double correct = 0.0;
  for (const auto& child : children) correct += *std::max_element(child.begin(), child.end());
  return correct / total_weight_;
}

double Node::score(const std::vector<std::vector<double>>& children) const {
  const auto filled = std::count_if(children.begin(), children.end(), [](const auto& child) {
    return std::any_of(child.begin(), child.end(), [](double weight) { return weight > 0.0; });
  });
  if (filled < 2) return 0.0;
  if (children.size() == 2)
    return partition_score(criterion(), children[0].data(), class_weight_.data(), n_classes());
  return multiway_score(criterion(), children, class_weight_);
}

double Node::rounding(const std::vector<double>& projections) {
  double largest = 0.0;
  for (double value : projections) largest = std::max(largest, std::abs(value));
  return rounding(largest);
}

double Node::fill(int j) const {
  if (problem_->fill_with_training_mean && !derived_) return problem_->training_mean[j];
  for (const CategoryGroup& group : groups_)
    if (j >= group.first_column && j < group.first_column + group.n_levels)
      return group.fill[j - group.first_column];
  for (const Filled& filled : filled_)
    if (filled.column == j) return filled.mean;
  RunningMean present;
  const double* x = column(j);
  for (std::size_t i = 0; i < n_rows_; ++i) present.add(x[i], weight_of(i));
  for (const auto& [column, exponent] : exponent_)
    if (column == j) return std::ldexp(present.mean(), exponent);
  return present.mean();
}

double Node::quantile(int j, double share) const {
  std::vector<std::pair<double, double>> sorted(n_rows_);
  for (std::size_t i = 0; i < n_rows_; ++i) sorted[i] = {column(j)[i], weight_of(i)};
  std::sort(sorted.begin(), sorted.end());
  double below = 0.0;
  for (const auto& [value, weight] : sorted) {
    below += weight;
    if (below >= share * total_weight_) return value;
  }
  return sorted.back().first;
}

double Node::training_deviation(int j) const {
  if (derived_) return spread(*this, j).deviation;
  for (const auto& [column, exponent] : exponent_)
    if (column == j) return std::ldexp(problem_->spread().deviation[j], -exponent);
  return problem_->spread().deviation[j];
}

std::size_t Node::distinct_rows(std::size_t limit) const {
  std::unordered_set<std::string> seen;
  std::string bytes(sizeof(double) * n_columns(), '\0');
  for (std::size_t i = 0; i < n_rows_ && seen.size() < limit; ++i) {
    for (int j = 0; j < n_columns(); ++j) {
      const double value = column(j)[i] + 0.0;  // -0.0 equals 0.0
      std::memcpy(&bytes[sizeof(double) * j], &value, sizeof(double));
    }
    seen.insert(bytes);
  }
  return seen.size();
}

double Node::share_present(int j) const {
  for (const CategoryGroup& group : groups_)
    if (j >= group.first_column && j < group.first_column + group.n_levels)
      return group.share_present;
  for (const Filled& filled : filled_)
    if (filled.column == j) return filled.share_present;
  return 1.0;
}

// Coefficients of tiny values are huge. Where one would overflow, all are made smaller: a test is
// the same at any scale.
void Node::keep_in_range(Split& split) const {
  constexpr int kLargestExponent = 1020;
  const std::size_t width = split.columns.size();
  int excess = 0;
  for (const auto& [column, exponent] : exponent_)
    for (std::size_t i = 0; i < split.coefs.size(); ++i)
      if (split.columns[i % width] == column && split.coefs[i] != 0.0)
        excess = std::max(excess, std::ilogb(split.coefs[i]) - exponent - kLargestExponent);
  if (excess == 0) return;
  for (double& coef : split.coefs) coef = std::ldexp(coef, -excess);
  for (double& offset : split.offsets) offset = std::ldexp(offset, -excess);
}

Split Node::in_input_units(Split split) const {
  const std::size_t width = split.columns.size();
  if (width > 1) keep_in_range(split);
  for (const auto& [column, exponent] : exponent_)
    for (std::size_t c = 0; c < width; ++c)
      if (split.columns[c] == column) {
        if (split.n_vectors() == 1 && width == 1)
          split.offsets[0] = std::ldexp(split.offsets[0], exponent);
        else
          for (int v = 0; v < split.n_vectors(); ++v)
            split.coefs[v * width + c] = std::ldexp(split.coefs[v * width + c], -exponent);
      }
  if (split.n_vectors() == 1 && width == 1 && std::abs(split.coefs[0]) != 1.0) {
    split.offsets[0] /= std::abs(split.coefs[0]);  // x <= t reads better than 0.7 x <= 0.7 t
    split.coefs[0] = split.coefs[0] > 0.0 ? 1.0 : -1.0;
  }
  return split;
}

std::vector<int> Node::varying_columns() const {
  std::vector<int> varying;
  for (int j = 0; j < n_columns(); ++j) {
    const double* x = column(j);
    if (std::any_of(x, x + n_rows_, [x](double value) { return value != x[0]; }))
      varying.push_back(j);
  }
  return varying;
}

std::shared_ptr<Node> Node::with_columns(std::vector<double> values) const {
  return std::make_shared<Node>(*this, std::move(values));
}

std::shared_ptr<Node> Node::restricted_to(const std::vector<int>& columns) const {
  auto node = std::make_shared<Node>(*this);
  std::vector<char> kept(n_columns(), 0);
  for (int j : columns) kept[j] = 1;
  const auto keeps = [&kept](int j) { return kept[j] != 0; };
  const auto broken = [&](const CategoryGroup& group) {
    const auto first = kept.begin() + group.first_column;
    return !std::all_of(first, first + group.n_levels, [](char k) { return k != 0; });
  };
  for (const CategoryGroup& group : groups_)
    if (broken(group))
      for (int j = group.first_column; j < group.first_column + group.n_levels; ++j)
        node->numeric_.push_back(j);
  node->groups_.erase(std::remove_if(node->groups_.begin(), node->groups_.end(), broken),
                      node->groups_.end());
  node->numeric_.erase(
      std::remove_if(node->numeric_.begin(), node->numeric_.end(), std::not_fn(keeps)),
      node->numeric_.end());
  std::sort(node->numeric_.begin(), node->numeric_.end());
  for (int j = 0; j < n_columns(); ++j)
    if (!kept[j]) std::fill_n(&node->values_[offset_[j]], n_rows_, 0.0);
  return node;
}

}  // namespace aslant
