#include "node/table_columns.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>

namespace aslant {

namespace {

constexpr std::size_t kGatherBlock = 256;  // rows gathered at a time: a block stays in cache
// Limit on the values in the indicator columns of one category (16 GiB).
constexpr std::size_t kMostIndicators = std::size_t{1} << 31;

// The unit of a column with extreme values is a power of two.
int exponent_of(double largest) {
  if (!(largest > 0.0) || (largest > kSmall && largest < kLarge)) return 0;
  return std::max(-1000, std::min(1000, std::ilogb(largest)));
}

}  // namespace

TableColumns::TableColumns(std::shared_ptr<const Problem> problem, const std::uint32_t* rows,
                           std::size_t n_rows)
    : NodeColumns(n_rows, problem->features().columns().size()),
      problem_(std::move(problem)),
      rows_(rows, rows + n_rows),
      unit_(problem_->features().any_missing() || problem_->features().any_extreme() ? size() : 0) {
  find_groups();
}

TableColumns::TableColumns(std::shared_ptr<const Problem> problem, const std::uint32_t* rows,
                           std::size_t n_rows, double total_weight)
    : TableColumns(std::move(problem), rows, n_rows) {
  total_weight_ = total_weight;
  for (CategoryGroup& group : groups_) {
    const LevelWeights weights = problem_->level_weights(
        rows_, group.n_levels, [&](std::size_t i) { return group.code[i]; });
    for (int level = 0; level < group.n_levels; ++level)
      group.fill[level] = weights.level[level].over(weights.present.value());
    fill_group(group, weights.present.value());
  }
}

TableColumns::TableColumns(std::shared_ptr<const Problem> problem, const std::uint32_t* rows,
                           std::size_t n_rows, const NodeFacts& facts)
    : TableColumns(std::move(problem), rows, n_rows) {
  const Columns& columns = problem_->features().columns();
  total_weight_ = problem_->target().weight_in(facts.statistics().data());
  for (CategoryGroup& group : groups_) {
    for (int level = 0; level < group.n_levels; ++level)
      group.fill[level] = facts.mean(group.first_column + level, 0);
    fill_group(group, facts.of_feature(columns.feature[group.first_column]).present);
  }
  for (int j = 0; j < size(); ++j) {
    mean_.push_back(facts.mean(j, 0));
    if (!needs_unit(j)) continue;
    const FeatureFacts feature = facts.of_feature(columns.feature[j]);
    const int exponent = exponent_of(feature.largest);
    unit_[j] = unit_from(j, exponent, feature.present, facts.mean(j, exponent));
  }
}

void TableColumns::find_groups() {
  const Columns& columns = problem_->features().columns();
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
  // Reads all categories for a block of rows: their codes are adjacent.
  for (std::size_t begin = 0; begin < n_rows_ && !groups_.empty(); begin += kGatherBlock) {
    const std::size_t n = std::min(kGatherBlock, n_rows_ - begin);
    for (CategoryGroup& group : groups_)
      gather(group.first_column, rows_.data() + begin, n, group.code.data() + begin);
  }
}

// `present` is the weight of nonmissing levels; `group.fill` holds their proportions.
void TableColumns::fill_group(CategoryGroup& group, double present) const {
  const bool training = problem_->rules().fill_with_training_mean || present == 0.0;
  if (!training) {
    group.share_present = present / total_weight_;
    return;
  }
  for (int level = 0; level < group.n_levels; ++level)
    group.fill[level] = problem_->training_mean(group.first_column + level);
}

// Gathers all numeric columns together, and all levels of a category: reads rows from memory once.
std::vector<int> TableColumns::written_with(int j) const {
  std::vector<int> columns;
  const CategoryGroup* group = group_of(j);
  if (group == nullptr) {
    std::copy_if(numeric_.begin(), numeric_.end(), std::back_inserter(columns),
                 [this](int column) { return !is_written(column); });
    return columns;
  }
  if (n_rows_ * static_cast<std::size_t>(group->n_levels) > kMostIndicators)
    throw std::invalid_argument("a categorical feature has " + std::to_string(group->n_levels) +
                                " levels, too many for a linear test over " +
                                std::to_string(n_rows_) +
                                " rows; merge rare levels before fitting");
  for (int level = 0; level < group->n_levels; ++level)
    columns.push_back(group->first_column + level);
  return columns;
}

void TableColumns::read(const std::vector<int>& columns, const Positions& rows, double* out) const {
  std::vector<std::uint32_t> chosen;
  if (rows.list != nullptr)
    for (std::size_t i = 0; i < rows.n; ++i) chosen.push_back(rows_[rows.list[i]]);
  const std::uint32_t* of_table = rows.list ? chosen.data() : rows_.data();
  const auto is_level = [&](int j) { return problem_->features().columns().level[j] >= 0; };
  for (std::size_t begin = 0; begin < rows.n; begin += kGatherBlock)
    for (std::size_t c = 0; c < columns.size(); ++c)
      if (!is_level(columns[c]))
        gather(columns[c], of_table + begin, std::min(kGatherBlock, rows.n - begin),
               out + c * rows.n + begin);
  for (std::size_t c = 0; c < columns.size(); ++c, out += rows.n) {
    if (!is_level(columns[c])) {
      fill_and_scale(columns[c], rows.list == nullptr, rows.n, out);
      continue;
    }
    const CategoryGroup& group = *group_of(columns[c]);
    const int level = columns[c] - group.first_column;
    for (std::size_t i = 0; i < rows.n; ++i)
      out[i] = indicator_value(group.code[rows[i]], level, group.fill[level]);
  }
}

// The raw values of a column's feature: numbers, or codes of levels.
template <class Out>
void TableColumns::gather(int j, const std::uint32_t* rows, std::size_t n, Out* out) const {
  problem_->features().table().gather(problem_->features().columns().feature[j], rows, n, out);
}

bool TableColumns::needs_unit(int j) const {
  return problem_->features().is_irregular(j);
}

// Converts raw values to column values: scaled if extreme, missing values filled.
void TableColumns::fill_and_scale(int j, bool all_rows, std::size_t n, double* values) const {
  if (!needs_unit(j)) return;
  Unit known;
  if (all_rows) {
    const std::lock_guard<std::mutex> lock(describing_);
    if (!unit_[j]) unit_[j] = unit_of(j, values);
    known = *unit_[j];
  } else {
    known = unit(j);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(values[i]))
      values[i] = known.fill;
    else if (known.exponent != 0)
      values[i] = std::ldexp(values[i], -known.exponent);
  }
}

TableColumns::Unit TableColumns::unit_of(int j, const double* values) const {
  double largest = 0.0;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < n_rows_; ++i) {
    const double size = std::abs(values[i]);
    largest = size > largest ? size : largest;  // skips NaN
    missing += size != size;
  }
  const int exponent = exponent_of(largest);
  const bool weighted = problem_->repeats() || !problem_->target().weight().empty();
  if (missing < n_rows_ && exponent == 0 && !weighted) {
    std::vector<double> present(n_rows_);
    std::size_t n = 0;
    for (std::size_t i = 0; i < n_rows_; ++i) {
      present[n] = values[i];
      n += values[i] == values[i];
    }
    return unit_from(j, 0, static_cast<double>(n), mean_of(present.data(), nullptr, n));
  }
  WeightedMean present;
  for (std::size_t i = 0; i < n_rows_; ++i)
    if (!std::isnan(values[i]))
      present.add(exponent == 0 ? values[i] : std::ldexp(values[i], -exponent),
                  problem_->weight_of(rows_[i]));
  return unit_from(j, exponent, present.weight(), present.mean());
}

// Given the weight and the mean of the present values.
TableColumns::Unit TableColumns::unit_from(int j, int exponent, double present, double mean) const {
  Unit unit;
  unit.exponent = exponent;
  const bool training = problem_->rules().fill_with_training_mean || present == 0.0;
  unit.fill = training ? std::ldexp(problem_->training_mean(j), -exponent) : mean;
  if (!training) unit.share_present = present / total_weight_;
  return unit;
}

const TableColumns::Unit& TableColumns::unit(int j) const {
  static const Unit plain;
  if (!needs_unit(j)) return plain;
  {
    const std::lock_guard<std::mutex> lock(describing_);
    if (unit_[j]) return *unit_[j];
  }
  std::vector<double> values(n_rows_);
  gather(j, rows_.data(), n_rows_, values.data());
  const std::lock_guard<std::mutex> lock(describing_);
  if (!unit_[j]) unit_[j] = unit_of(j, values.data());
  return *unit_[j];
}

double TableColumns::fill(int j, const std::vector<double>& weight) const {
  if (problem_->rules().fill_with_training_mean) return problem_->training_mean(j);
  if (needs_unit(j)) return std::ldexp(unit(j).fill, unit(j).exponent);
  if (!mean_.empty() && group_of(j) == nullptr) return mean_[j];
  return NodeColumns::fill(j, weight);
}

double TableColumns::share_present(int j) const {
  if (const CategoryGroup* group = group_of(j)) return group->share_present;
  return unit(j).share_present;
}

bool TableColumns::is_missing(int j, std::size_t i) const {
  const Features& features = problem_->features();
  const int feature = features.columns().feature[j];
  return features.has_missing(feature) && std::isnan(features.table().at(rows_[i], feature));
}

bool TableColumns::send(const LinearTest& test, std::int32_t* child) const {
  const Columns& columns = problem_->features().columns();
  const Table& table = problem_->features().table();
  if (!LookedUpPlane::pays(test, columns, n_rows_)) return false;
  std::vector<const double*> number(table.n_features, nullptr);
  std::vector<const std::int32_t*> code(table.n_features, nullptr);
  for (std::int64_t e = test.begin(); e < test.end(); ++e) {
    const int j = test.column[e], feature = columns.feature[j];
    if (columns.level[j] >= 0 && code[feature] == nullptr)
      code[feature] = group_of(j)->code.data();
    else if (columns.level[j] < 0 && !needs_unit(j))
      number[feature] = kept(j);
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

// Converts one raw value to its column value.
double TableColumns::fill_or_scale(int j, double value) const {
  if (!needs_unit(j)) return value;
  const Unit& known = unit(j);
  return std::isnan(value) ? known.fill : std::ldexp(value, -known.exponent);
}

// ---------------------------------------------------------------- sparse tables

const SparseTableColumns::ByColumn& SparseTableColumns::by_column() const {
  std::call_once(transposed_, [this] {
    const Table& table = problem().features().table();
    const auto for_each = [&](const auto& visit) {
      for (std::uint32_t i = 0; i < n_rows_; ++i)
        for (std::int64_t e = table.row_begin[row(i)]; e < table.row_begin[row(i) + 1]; ++e) {
          const double value = fill_or_scale(table.feature_of[e], table.value(e));
          if (value != 0.0) visit(i, table.feature_of[e], value);
        }
    };
    by_column_.start.assign(table.n_features + 1, 0);
    for_each([&](std::uint32_t, int j, double) { ++by_column_.start[j + 1]; });
    for (int j = 0; j < table.n_features; ++j) by_column_.start[j + 1] += by_column_.start[j];
    by_column_.rows.resize(by_column_.start.back());
    by_column_.values.resize(by_column_.start.back());
    std::vector<std::int64_t> next = by_column_.start;
    for_each([&](std::uint32_t i, int j, double value) {
      by_column_.rows[next[j]] = i;
      by_column_.values[next[j]++] = value;
    });
  });
  return by_column_;
}

std::optional<SparseColumn> SparseTableColumns::sparse(int j) const {
  const ByColumn& all = by_column();
  const std::int64_t begin = all.start[j], end = all.start[j + 1];
  if (begin == end) return std::nullopt;
  return SparseColumn{{all.rows.begin() + begin, all.rows.begin() + end},
                      {all.values.begin() + begin, all.values.begin() + end}};
}

std::vector<int> SparseTableColumns::varying() const {
  const ByColumn& all = by_column();
  std::vector<int> varying;
  for (int j = 0; j < size(); ++j) {
    const std::int64_t begin = all.start[j], end = all.start[j + 1];
    const bool has_zeros = end - begin < static_cast<std::int64_t>(n_rows_);
    const auto differs = [&](double value) { return value != all.values[begin]; };
    if (begin < end &&
        (has_zeros || std::any_of(all.values.begin() + begin, all.values.begin() + end, differs)))
      varying.push_back(j);
  }
  return varying;
}

// Column by column, as in a dense table: the sums are identical to the last bit.
std::vector<double> SparseTableColumns::projection(const std::vector<double>& coef) const {
  const ByColumn& all = by_column();
  std::vector<double> sum(n_rows_, 0.0);
  for (int j = 0; j < size(); ++j)
    if (coef[j] != 0.0)
      for (std::int64_t e = all.start[j]; e < all.start[j + 1]; ++e)
        sum[all.rows[e]] += coef[j] * all.values[e];
  return sum;
}

}  // namespace aslant
