#include "node_columns.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "mean.hpp"
#include "moments.hpp"

namespace aslant {

namespace {

constexpr std::size_t kGatherBlock = 256;  // rows gathered at a time: a block stays in cache
// Indicator columns of one category may not take more than this many values (16 GiB).
constexpr std::size_t kMostIndicators = std::size_t{1} << 31;
// Columns read at a time share a cache line, but shall not take more than so many values.
constexpr std::size_t kPeekWidth = 8, kPeekValues = std::size_t{1} << 21;

// Numbers as they are, or codes of levels.
void put(double value, double& out) {
  out = value;
}
void put(double value, std::int32_t& out) {
  out = std::isnan(value) ? -1 : static_cast<std::int32_t>(value);
}

template <class T, class Out>
void gather_column(const Table& table, const std::uint32_t* rows, std::size_t n, int feature,
                   Out* out) {
  const char* base = table.data + feature * table.feature_stride;
  for (std::size_t i = 0; i < n; ++i)
    put(static_cast<double>(*reinterpret_cast<const T*>(
            base + static_cast<std::ptrdiff_t>(rows[i]) * table.row_stride)),
        out[i]);
}

}  // namespace

NodeColumns::NodeColumns(std::shared_ptr<const Problem> problem, const std::uint32_t* rows,
                         std::size_t n_rows, double total_weight)
    : problem_(std::move(problem)),
      n_rows_(n_rows),
      rows_(rows, rows + n_rows),
      total_weight_(total_weight),
      place_(problem_->data().columns.size()),
      info_(has_odd_columns() ? place_.size() : 0) {
  find_groups();
  for (CategoryGroup& group : groups_) {
    const LevelWeights weights = problem_->level_weights(
        rows_, group.n_levels, [&](std::size_t i) { return group.code[i]; });
    for (int level = 0; level < group.n_levels; ++level)
      group.fill[level] = weights.level[level].over(weights.present.value());
    fill_group(group, weights.present.value());
  }
}

NodeColumns::NodeColumns(std::shared_ptr<const Problem> problem, const std::uint32_t* rows,
                         std::size_t n_rows, const NodeFacts& facts)
    : problem_(std::move(problem)),
      n_rows_(n_rows),
      rows_(rows, rows + n_rows),
      place_(problem_->data().columns.size()),
      info_(has_odd_columns() ? place_.size() : 0) {
  const std::vector<double> statistics = facts.statistics();
  total_weight_ = problem_->data().target.has_classes()
                      ? std::accumulate(statistics.begin(), statistics.end(), 0.0)
                      : statistics[0];
  find_groups();
  for (CategoryGroup& group : groups_) {
    for (int level = 0; level < group.n_levels; ++level)
      group.fill[level] = facts.mean(group.first_column + level, 0);
    const int feature = problem_->data().columns.feature[group.first_column];
    fill_group(group, facts.of_feature(feature).present);
  }
  for (int j = 0; j < size(); ++j) {
    mean_.push_back(facts.mean(j, 0));
    if (is_odd(j)) info_[j] = describe(j, facts);
  }
}

NodeColumns::NodeColumns(std::shared_ptr<const NodeColumns> other,
                         const std::vector<std::uint32_t>& rows)
    : problem_(other->problem_),
      other_(std::move(other)),
      n_rows_(rows.size()),
      numeric_(other_->numeric_),
      groups_(other_->groups_),
      derived_(other_->derived_),
      place_(other_->place_.size()),
      info_(has_odd_columns() ? place_.size() : 0) {
  for (CategoryGroup& group : groups_) {
    for (std::size_t i = 0; i < n_rows_; ++i) group.code[i] = group.code[rows[i]];
    group.code.resize(n_rows_);
  }
  if (!other_->rows_.empty()) {
    for (std::uint32_t row : rows) rows_.push_back(other_->rows_[row]);
    return;
  }
  values_.reserve(n_rows_ * place_.size());
  for (int j = 0; j < size(); ++j)
    for (std::uint32_t row : rows) values_.push_back(other_->column(j)[row]);
  for (int j = 0; j < size(); ++j) place_[j] = &values_[j * n_rows_];
}

NodeColumns::NodeColumns(std::shared_ptr<const Problem> problem, std::size_t n_rows,
                         std::vector<double> values)
    : problem_(std::move(problem)),
      n_rows_(n_rows),
      derived_(true),
      place_(values.size() / n_rows),
      values_(std::move(values)) {
  for (int j = 0; j < size(); ++j) {
    numeric_.push_back(j);
    place_[j] = &values_[j * n_rows_];
  }
}

NodeColumns::NodeColumns(std::shared_ptr<const NodeColumns> other, std::vector<double> values,
                         const std::vector<DerivedColumn>& columns)
    : problem_(other->problem_),
      other_(std::move(other)),
      n_rows_(other_->n_rows_),
      derived_(true),
      place_(columns.size()),
      values_(std::move(values)) {
  for (int j = 0; j < size(); ++j) {
    numeric_.push_back(j);
    place_[j] = columns[j].values;
    known_.push_back(columns[j].known);
  }
}

NodeColumns::NodeColumns(std::shared_ptr<const NodeColumns> other,
                         const std::vector<Spread>& scales)
    : problem_(other->problem_),
      other_(std::move(other)),
      n_rows_(other_->n_rows_),
      derived_(true),
      place_(other_->place_.size()) {
  const auto varies = [&](int j) { return scales[j].deviation > 0.0; };
  const auto scaled = [&](int j, double x) {
    return varies(j) ? (x - scales[j].mean) / scales[j].deviation : 0.0;
  };
  for (int j = 0; j < size(); ++j) numeric_.push_back(j);
  for (const CategoryGroup& group : other_->groups_) {
    by_level_.push_back({group.first_column, &group.code, {}, {}, {}});
    LevelColumns& levels = by_level_.back();
    for (int level = 0, j = group.first_column; level < group.n_levels; ++level, ++j) {
      levels.off.push_back(scaled(j, 0.0));
      levels.on.push_back(scaled(j, 1.0));
      levels.missing.push_back(scaled(j, group.fill[level]));
    }
  }
  std::vector<int> written;
  for (int j : numeric_)
    if (levels_of(j) == nullptr && varies(j)) written.push_back(j);
  values_.assign(n_rows_ * (written.size() + 1), 0.0);  // the first is that of constant columns
  for (int j : numeric_)
    if (!varies(j)) place_[j] = values_.data();
  double* out = values_.data();
  for (int j : written) {
    place_[j] = out += n_rows_;
    const double* x = other_->column(j);
    for (std::size_t i = 0; i < n_rows_; ++i) out[i] = scaled(j, x[i]);
  }
}

NodeColumns::NodeColumns(std::shared_ptr<const NodeColumns> other, const std::vector<char>& kept)
    : problem_(other->problem_),
      other_(std::move(other)),
      n_rows_(other_->n_rows_),
      rows_(other_->rows_),
      numeric_(other_->numeric_),
      derived_(other_->derived_),
      place_(other_->place_.size()),
      values_(n_rows_, 0.0),
      info_(has_odd_columns() ? place_.size() : 0) {
  for (const CategoryGroup& group : other_->groups_) {
    const auto first = kept.begin() + group.first_column;
    if (std::all_of(first, first + group.n_levels, [](char k) { return k != 0; }))
      groups_.push_back(group);
    else
      for (int j = group.first_column; j < group.first_column + group.n_levels; ++j)
        numeric_.push_back(j);
  }
  numeric_.erase(
      std::remove_if(numeric_.begin(), numeric_.end(), [&kept](int j) { return !kept[j]; }),
      numeric_.end());
  std::sort(numeric_.begin(), numeric_.end());
  // Numbers that nobody has read yet are read when they are needed, and the others never.
  for (int j = 0; j < size(); ++j) {
    const bool is_number = !rows_.empty() && problem_->data().columns.level[j] < 0;
    if (!kept[j])
      place_[j] = values_.data();
    else
      place_[j] = is_number ? other_->place_[j].load() : other_->column(j);
  }
}

const CategoryGroup* NodeColumns::group_of(int j) const {
  for (const CategoryGroup& group : groups_)
    if (j >= group.first_column && j < group.first_column + group.n_levels) return &group;
  return nullptr;
}

const LevelColumns* NodeColumns::levels_of(int j) const {
  for (const LevelColumns& levels : by_level_)
    if (j >= levels.first_column && j < levels.first_column + levels.n_levels()) return &levels;
  return nullptr;
}

const double* NodeColumns::write(int j) const {
  const std::lock_guard<std::mutex> lock(writing_);
  if (const double* written = place_[j].load()) return written;
  if (const CategoryGroup* group = group_of(j))
    write_group(static_cast<std::size_t>(group - groups_.data()));
  else if (levels_of(j))
    write_level(j);
  else
    write_numeric();
  return place_[j].load();
}

void NodeColumns::write_numeric() const {
  // What is there stays: indicators that a category lends are not to be had from the table.
  std::vector<int> columns;
  std::copy_if(numeric_.begin(), numeric_.end(), std::back_inserter(columns),
               [this](int j) { return place_[j].load() == nullptr; });
  blocks_.emplace_back(new double[columns.size() * n_rows_]);
  double* out = blocks_.back().get();
  gather(columns, out);
  for (int j : columns) {
    settle(j, out);
    place_[j].store(out, std::memory_order_release);
    out += n_rows_;
  }
}

void NodeColumns::write_group(std::size_t g) const {
  const CategoryGroup& group = groups_[g];
  if (n_rows_ * static_cast<std::size_t>(group.n_levels) > kMostIndicators)
    throw std::invalid_argument("a categorical feature has " + std::to_string(group.n_levels) +
                                " levels, too many for a linear test over " +
                                std::to_string(n_rows_) +
                                " rows; merge rare levels before fitting");
  blocks_.emplace_back(new double[group.n_levels * n_rows_]);
  double* out = blocks_.back().get();
  for (int level = 0; level < group.n_levels; ++level, out += n_rows_) {
    for (std::size_t i = 0; i < n_rows_; ++i)
      out[i] = group.code[i] < 0 ? group.fill[level] : (group.code[i] == level ? 1.0 : 0.0);
    place_[group.first_column + level].store(out, std::memory_order_release);
  }
}

void NodeColumns::write_level(int j) const {
  const LevelColumns& levels = *levels_of(j);
  const int level = j - levels.first_column;
  blocks_.emplace_back(new double[n_rows_]);
  double* out = blocks_.back().get();
  for (std::size_t i = 0; i < n_rows_; ++i) {
    const std::int32_t code = (*levels.code)[i];
    out[i] = code < 0 ? levels.missing[level] : (code == level ? levels.on : levels.off)[level];
  }
  place_[j].store(out, std::memory_order_release);
}

const NodeColumns::LevelRows& NodeColumns::level_rows(std::size_t g) const {
  const std::lock_guard<std::mutex> lock(writing_);
  level_rows_.resize(groups_.size());
  if (level_rows_[g]) return *level_rows_[g];
  const CategoryGroup& group = groups_[g];
  const auto place = [&](std::int32_t code) { return code < 0 ? group.n_levels : code; };
  LevelRows ordered{std::vector<std::uint32_t>(n_rows_),
                    std::vector<std::size_t>(group.n_levels + 2, 0)};
  for (std::int32_t code : group.code) ++ordered.start[place(code) + 1];
  std::partial_sum(ordered.start.begin(), ordered.start.end(), ordered.start.begin());
  std::vector<std::size_t> next = ordered.start;
  for (std::size_t i = 0; i < n_rows_; ++i)
    ordered.rows[next[place(group.code[i])]++] = static_cast<std::uint32_t>(i);
  level_rows_[g] = std::make_unique<const LevelRows>(std::move(ordered));
  return *level_rows_[g];
}

std::optional<Indicator> NodeColumns::indicator(int j) const {
  const CategoryGroup* group = group_of(j);
  if (group == nullptr) return std::nullopt;
  const LevelRows& ordered = level_rows(static_cast<std::size_t>(group - groups_.data()));
  const auto part = [&](int level) {
    return Span<std::uint32_t>(ordered.rows.data() + ordered.start[level],
                               ordered.start[level + 1] - ordered.start[level]);
  };
  const int level = j - group->first_column;
  const double fill = group->fill[level];
  return Indicator{part(level), fill != 0.0 ? part(group->n_levels) : Span<std::uint32_t>(), fill};
}

// The values as they are, the columns one after the other.
void NodeColumns::gather(const std::vector<int>& columns, double* out) const {
  for (std::size_t begin = 0; begin < n_rows_; begin += kGatherBlock)
    for (std::size_t c = 0; c < columns.size(); ++c)
      gather_some(columns[c], begin, std::min(kGatherBlock, n_rows_ - begin),
                  out + c * n_rows_ + begin);
}

// Those of a column's feature, in n rows from `begin` on.
template <class Out>
void NodeColumns::gather_some(int j, std::size_t begin, std::size_t n, Out* out) const {
  const Table& table = problem_->data().table;
  const int feature = problem_->data().columns.feature[j];
  if (table.single_precision)
    gather_column<float>(table, rows_.data() + begin, n, feature, out);
  else
    gather_column<double>(table, rows_.data() + begin, n, feature, out);
}

bool NodeColumns::has_odd_columns() const {
  const Data& data = problem_->data();
  const auto any = [](const std::vector<char>& flags) {
    return std::any_of(flags.begin(), flags.end(), [](char flag) { return flag != 0; });
  };
  return any(data.has_missing) || any(data.has_extreme);
}

bool NodeColumns::is_odd(int j) const {
  const Data& data = problem_->data();
  const int feature = data.columns.feature[j];
  return data.columns.level[j] < 0 && (data.has_missing[feature] || data.has_extreme[feature]);
}

// The unit of a column is a power of two where its values are extreme.
static int exponent_of(double largest) {
  if (!(largest > 0.0) || (largest > kSmall && largest < kLarge)) return 0;
  return std::max(-1000, std::min(1000, std::ilogb(largest)));
}

// From values as they are to those of the column: scaled if they are extreme, none missing.
void NodeColumns::settle(int j, double* values) const {
  if (derived_ || !is_odd(j)) return;
  Info known;
  {
    const std::lock_guard<std::mutex> lock(describing_);
    if (!info_[j]) info_[j] = other_ ? other_->info(j) : describe(j, values);
    known = *info_[j];
  }
  for (std::size_t i = 0; i < n_rows_; ++i) {
    if (std::isnan(values[i]))
      values[i] = known.fill;
    else if (known.exponent != 0)
      values[i] = std::ldexp(values[i], -known.exponent);
  }
}

NodeColumns::Info NodeColumns::describe(int j, double* values) const {
  double largest = 0.0;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < n_rows_; ++i) {
    const double size = std::abs(values[i]);
    largest = size > largest ? size : largest;  // NaN is passed over
    missing += size != size;
  }
  const int exponent = exponent_of(largest);
  const bool weighted = problem_->repeats() || !problem_->data().target.weight.empty();
  if (missing < n_rows_ && exponent == 0 && !weighted) {
    std::vector<double> present(n_rows_);
    std::size_t n = 0;
    for (std::size_t i = 0; i < n_rows_; ++i) {
      present[n] = values[i];
      n += values[i] == values[i];
    }
    return settled(j, 0, static_cast<double>(n), mean_of(present.data(), nullptr, n));
  }
  WeightedMean present;
  for (std::size_t i = 0; i < n_rows_; ++i)
    if (!std::isnan(values[i]))
      present.add(exponent == 0 ? values[i] : std::ldexp(values[i], -exponent),
                  problem_->weight_of(rows_[i]));
  return settled(j, exponent, present.weight(), present.mean());
}

NodeColumns::Info NodeColumns::describe(int j, const NodeFacts& facts) const {
  const FeatureFacts feature = facts.of_feature(problem_->data().columns.feature[j]);
  const int exponent = exponent_of(feature.largest);
  return settled(j, exponent, feature.present, facts.mean(j, exponent));
}

// What stands in for missing values, given the weight and the mean of those that are present.
NodeColumns::Info NodeColumns::settled(int j, int exponent, double present, double mean) const {
  Info info;
  info.exponent = exponent;
  const bool training = problem_->rules().fill_with_training_mean || present == 0.0;
  info.fill = training ? std::ldexp(problem_->training_mean(j), -exponent) : mean;
  if (!training) info.share_present = present / total_weight_;
  return info;
}

const NodeColumns::Info& NodeColumns::info(int j) const {
  static const Info plain;
  if (derived_ || !is_odd(j)) return plain;
  if (other_) return other_->info(j);
  {
    const std::lock_guard<std::mutex> lock(describing_);
    if (info_[j]) return *info_[j];
  }
  std::vector<double> values(n_rows_);
  gather({j}, values.data());
  const std::lock_guard<std::mutex> lock(describing_);
  if (!info_[j]) info_[j] = describe(j, values.data());
  return *info_[j];
}

void NodeColumns::find_groups() {
  const Columns& columns = problem_->data().columns;
  for (int j = 0; j < columns.size();) {
    if (columns.level[j] < 0) {
      numeric_.push_back(j++);
      continue;
    }
    CategoryGroup group{j, 0, {}, {}, 1.0};
    while (j < columns.size() && columns.feature[j] == columns.feature[group.first_column]) ++j;
    group.n_levels = j - group.first_column;
    group.code.resize(n_rows_);
    group.fill.assign(group.n_levels, 0.0);
    groups_.push_back(std::move(group));
  }
  // The codes of some rows at a time, of all categories: they lie side by side.
  for (std::size_t begin = 0; begin < n_rows_ && !groups_.empty(); begin += kGatherBlock) {
    const std::size_t n = std::min(kGatherBlock, n_rows_ - begin);
    for (CategoryGroup& group : groups_)
      gather_some(group.first_column, begin, n, group.code.data() + begin);
  }
}

// `present` is the weight of the rows that have a level, whose shares `group.fill` holds.
void NodeColumns::fill_group(CategoryGroup& group, double present) const {
  const bool training = problem_->rules().fill_with_training_mean || present == 0.0;
  if (!training) {
    group.share_present = present / total_weight_;
    return;
  }
  for (int level = 0; level < group.n_levels; ++level)
    group.fill[level] = problem_->training_mean(group.first_column + level);
}

std::size_t NodeColumns::peek_width() const {
  return std::max<std::size_t>(1, std::min(kPeekWidth, kPeekValues / n_rows_));
}

std::vector<const double*> NodeColumns::peek(std::size_t first, std::size_t count,
                                             std::vector<double>& scratch) const {
  const std::vector<int> columns(numeric_.begin() + first, numeric_.begin() + first + count);
  std::vector<const double*> places;
  for (int j : columns)
    places.push_back(derived_ ? column(j) : place_[j].load(std::memory_order_acquire));
  if (std::all_of(places.begin(), places.end(), [](const double* p) { return p != nullptr; }))
    return places;
  if (scratch.size() < count * n_rows_) scratch.resize(count * n_rows_);
  gather(columns, scratch.data());
  for (std::size_t c = 0; c < count; ++c) {
    settle(columns[c], scratch.data() + c * n_rows_);
    places[c] = scratch.data() + c * n_rows_;
  }
  return places;
}

const double* NodeColumns::peek(int j, std::vector<double>& scratch) const {
  const auto place = std::lower_bound(numeric_.begin(), numeric_.end(), j);
  if (place == numeric_.end() || *place != j) return column(j);  // an indicator
  return peek(static_cast<std::size_t>(place - numeric_.begin()), 1, scratch)[0];
}

namespace {

// The columns of a category that have more than one value among its rows; `value(level, which)` is
// that of rows of other levels, of the level, and of those without one.
template <class Value>
void append_varying(int first_column, int n_levels, const std::vector<std::int32_t>& code,
                    const Value& value, std::vector<int>& varying) {
  std::vector<std::size_t> rows(n_levels + 1, 0);
  for (std::int32_t level : code) ++rows[level < 0 ? n_levels : level];
  const std::size_t missing = rows[n_levels];
  for (int level = 0; level < n_levels; ++level) {
    const std::size_t with[] = {code.size() - missing - rows[level], rows[level], missing};
    int first = 0;
    while (with[first] == 0) ++first;
    for (int which = first + 1; which < 3; ++which)
      if (with[which] > 0 && value(level, which) != value(level, first)) {
        varying.push_back(first_column + level);
        break;
      }
  }
}

}  // namespace

std::vector<int> NodeColumns::varying() const {
  std::vector<int> varying;
  for (int j : numeric_) {
    if (levels_of(j)) continue;
    const double* x = column(j);
    if (std::any_of(x, x + n_rows_, [x](double value) { return value != x[0]; }))
      varying.push_back(j);
  }
  for (const CategoryGroup& group : groups_)
    append_varying(
        group.first_column, group.n_levels, group.code,
        [&](int level, int which) { return which < 2 ? which : group.fill[level]; }, varying);
  for (const LevelColumns& levels : by_level_)
    append_varying(
        levels.first_column, levels.n_levels(), *levels.code,
        [&](int level, int which) {
          return (which == 0 ? levels.off : which == 1 ? levels.on : levels.missing)[level];
        },
        varying);
  std::sort(varying.begin(), varying.end());
  return varying;
}

double NodeColumns::fill(int j, const std::vector<double>& weight) const {
  if (problem_->rules().fill_with_training_mean && !derived_) return problem_->training_mean(j);
  if (const CategoryGroup* group = group_of(j)) return group->fill[j - group->first_column];
  const Info& known = info(j);
  if (!derived_ && is_odd(j)) return std::ldexp(known.fill, known.exponent);
  if (!mean_.empty()) return mean_[j];
  std::vector<double> scratch;
  const double* x = derived_ ? column(j) : place_[j].load(std::memory_order_acquire);
  if (x == nullptr) {
    scratch.resize(n_rows_);
    gather({j}, scratch.data());
    x = scratch.data();
  }
  return mean_of(x, weight.empty() ? nullptr : weight.data(), n_rows_);
}

double NodeColumns::share_present(int j) const {
  if (const CategoryGroup* group = group_of(j)) return group->share_present;
  return info(j).share_present;
}

// Coefficients of tiny values are huge. Where one would overflow, all are made smaller: a test is
// the same at any scale.
void NodeColumns::keep_in_range(Split& split) const {
  constexpr int kLargestExponent = 1020;
  const std::size_t width = split.columns.size();
  int excess = 0;
  for (std::size_t i = 0; i < split.coefs.size(); ++i)
    if (split.coefs[i] != 0.0 && exponent(split.columns[i % width]) != 0)
      excess = std::max(excess, std::ilogb(split.coefs[i]) - exponent(split.columns[i % width]) -
                                    kLargestExponent);
  if (excess == 0) return;
  for (double& coef : split.coefs) coef = std::ldexp(coef, -excess);
  for (double& offset : split.offsets) offset = std::ldexp(offset, -excess);
}

Split NodeColumns::in_input_units(Split split) const {
  const std::size_t width = split.columns.size();
  if (width > 1) keep_in_range(split);
  for (std::size_t c = 0; c < width; ++c) {
    const int scaled = exponent(split.columns[c]);
    if (scaled == 0) continue;
    if (split.n_vectors() == 1 && width == 1)
      split.offsets[0] = std::ldexp(split.offsets[0], scaled);
    else
      for (int v = 0; v < split.n_vectors(); ++v)
        split.coefs[v * width + c] = std::ldexp(split.coefs[v * width + c], -scaled);
  }
  if (split.n_vectors() == 1 && width == 1 && std::abs(split.coefs[0]) != 1.0) {
    split.offsets[0] /= std::abs(split.coefs[0]);  // x <= t reads better than 0.7 x <= 0.7 t
    split.coefs[0] = split.coefs[0] > 0.0 ? 1.0 : -1.0;
  }
  return split;
}

bool NodeColumns::send(const LinearTest& test, std::int32_t* child) const {
  const Columns& columns = problem_->data().columns;
  const Table& table = problem_->data().table;
  if (rows_.empty() || !LookedUpPlane::pays(test, columns, n_rows_)) return false;
  std::vector<const double*> number(table.n_features, nullptr);
  std::vector<const std::int32_t*> code(table.n_features, nullptr);
  for (std::int64_t e = test.begin(); e < test.end(); ++e) {
    const int j = test.column[e], feature = columns.feature[j];
    if (columns.level[j] >= 0 && code[feature] == nullptr)
      code[feature] = group_of(j)->code.data();
    else if (columns.level[j] < 0 && !is_odd(j))
      number[feature] = place_[j].load(std::memory_order_acquire);
  }
  const auto reader = [&](int feature, const auto& add) {
    constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
    const double* x = number[feature];
    const std::int32_t* c = code[feature];
    if (x != nullptr)
      add([x](std::size_t r) { return x[r]; });
    else if (c != nullptr)
      add([c](std::size_t r) { return c[r] < 0 ? kMissing : static_cast<double>(c[r]); });
    else
      add([&, feature](std::size_t r) { return table.at(rows_[r], feature); });
  };
  LookedUpPlane(test, columns).children_of(reader, n_rows_, child);
  return true;
}

std::vector<double> NodeColumns::projection(const std::vector<double>& coef) const {
  std::vector<double> sum(n_rows_, 0.0);
  auto group = groups_.begin();
  for (int j = 0; j < size(); ++j) {
    if (group != groups_.end() && group->first_column == j) {
      const double* of_level = &coef[j];
      double missing = 0.0;
      for (int level = 0; level < group->n_levels; ++level)
        missing += of_level[level] * group->fill[level];
      if (std::any_of(of_level, of_level + group->n_levels, [](double c) { return c != 0.0; }))
        for (std::size_t i = 0; i < n_rows_; ++i)
          sum[i] += group->code[i] < 0 ? missing : of_level[group->code[i]];
      j += group->n_levels - 1;
      ++group;
      continue;
    }
    if (coef[j] == 0.0) continue;
    const double* x = column(j);
    for (std::size_t i = 0; i < n_rows_; ++i) sum[i] += coef[j] * x[i];
  }
  return sum;
}

std::vector<std::uint32_t> NodeColumns::complete_rows() const {
  const Data& data = problem_->data();
  std::vector<std::uint32_t> complete;
  for (std::uint32_t i = 0; i < n_rows_; ++i) {
    const auto is_missing = [&](int j) {
      const int feature = data.columns.feature[j];
      return data.has_missing[feature] && std::isnan(data.table.at(rows_[i], feature));
    };
    if (rows_.empty() || std::none_of(numeric_.begin(), numeric_.end(), is_missing))
      complete.push_back(i);
  }
  return complete;
}

}  // namespace aslant
