#include "node/columns.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "support/buffers.hpp"
#include "support/workspace.hpp"

namespace aslant {

namespace {

// Columns read together share a cache line, but may not exceed this many values.
constexpr std::size_t kPeekWidth = 8, kPeekValues = std::size_t{1} << 20;

}  // namespace

const double* NodeColumns::write(int j) const {
  const std::lock_guard<std::mutex> lock(writing_);
  if (const double* written = kept(j)) return written;
  if (const double* others = lent(j)) {
    keep(j, others);
    return others;
  }
  std::vector<int> columns = written_with(j);
  // A wrapper may have left the column out of the numeric ones.
  if (std::find(columns.begin(), columns.end(), j) == columns.end()) columns = {j};
  blocks_.emplace_back(new double[columns.size() * n_rows_]);
  double* out = blocks_.back().get();
  read(columns, all_rows(), out);
  for (int column : columns) {
    keep(column, out);
    out += n_rows_;
  }
  return kept(j);
}

std::size_t NodeColumns::peek_width() const {
  return std::max<std::size_t>(
      1, std::min(kPeekWidth, kPeekValues / std::max<std::size_t>(1, n_rows_)));
}

std::vector<const double*> NodeColumns::peek(std::size_t first, std::size_t count,
                                             std::vector<double>& scratch) const {
  std::vector<const double*> values;
  std::vector<int> unread;
  for (std::size_t c = first; c < first + count; ++c) {
    const int j = numeric_[c];
    values.push_back(is_written(j) ? kept(j) : lent(j));
    if (values.back() == nullptr) unread.push_back(j);
  }
  if (unread.empty()) return values;
  make_room(scratch, unread.size() * n_rows_);
  read(unread, all_rows(), scratch.data());
  const double* next = scratch.data();
  for (const double*& column : values)
    if (column == nullptr) {
      column = next;
      next += n_rows_;
    }
  return values;
}

const double* NodeColumns::peek(int j, std::vector<double>& scratch) const {
  const auto place = std::lower_bound(numeric_.begin(), numeric_.end(), j);
  if (place == numeric_.end() || *place != j) return column(j);  // an indicator
  return peek(static_cast<std::size_t>(place - numeric_.begin()), 1, scratch)[0];
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

// The rows of the level and, unless their fill is zero, those without a level.
std::optional<SparseColumn> NodeColumns::sparse(int j) const {
  const CategoryGroup* group = group_of(j);
  if (group == nullptr) return std::nullopt;
  const LevelRows& ordered = level_rows(static_cast<std::size_t>(group - groups_.data()));
  const auto part = [&](int level) {
    return Span<std::uint32_t>(ordered.rows.data() + ordered.start[level],
                               ordered.start[level + 1] - ordered.start[level]);
  };
  const int level = j - group->first_column;
  const double fill = group->fill[level];
  const auto ones = part(level);
  const auto missing = fill != 0.0 ? part(group->n_levels) : Span<std::uint32_t>();
  SparseColumn column;
  column.rows.resize(ones.size() + missing.size());
  std::merge(ones.begin(), ones.end(), missing.begin(), missing.end(), column.rows.begin());
  for (std::uint32_t row : column.rows)
    column.values.push_back(indicator_value(group->code[row], level, fill));
  return column;
}

namespace {

// The columns of a category that vary among its rows; `value(level, which)` is the value for other
// levels, for the level, and for missing ones.
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
  if (const CategoryGroup* group = group_of(j)) return group->fill[j - group->first_column];
  struct FillBuffer {
    std::vector<double> values;
  };
  std::vector<double>& scratch = Workspace::get<FillBuffer>().values;
  const double* x = kept(j);
  if (x == nullptr) {
    make_room(scratch, n_rows_);
    read({j}, all_rows(), scratch.data());
    x = scratch.data();
  }
  return mean_of(x, weight.empty() ? nullptr : weight.data(), n_rows_);
}

// Coefficients of tiny values are huge. If one would overflow, all shrink: a test is invariant to
// scale.
void NodeColumns::keep_in_range(Split& split) const {
  constexpr int kLargestExponent = 1020;
  int excess = 0;
  for (std::size_t e = 0; e < split.coefs.size(); ++e)
    if (const int scaled = exponent(split.columns[e]); scaled != 0)
      excess = std::max(excess, std::ilogb(split.coefs[e]) - scaled - kLargestExponent);
  if (excess == 0) return;
  for (double& coef : split.coefs) coef = std::ldexp(coef, -excess);
  for (double& offset : split.offsets) offset = std::ldexp(offset, -excess);
}

Split NodeColumns::in_input_units(Split split) const {
  if (split.n_vectors() == 1 && split.columns.size() == 1) {
    split.offsets[0] = std::ldexp(split.offsets[0], exponent(split.columns[0]));
    if (std::abs(split.coefs[0]) != 1.0) {
      split.offsets[0] /= std::abs(split.coefs[0]);  // x <= t reads better than 0.7 x <= 0.7 t
      split.coefs[0] = split.coefs[0] > 0.0 ? 1.0 : -1.0;
    }
    return split;
  }
  keep_in_range(split);
  for (std::size_t e = 0; e < split.columns.size(); ++e)
    if (const int scaled = exponent(split.columns[e]); scaled != 0)
      split.coefs[e] = std::ldexp(split.coefs[e], -scaled);
  split.keep_terms([](int, double coef) { return coef != 0.0; });
  return split;
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
  std::vector<std::uint32_t> complete;
  for (std::uint32_t i = 0; i < n_rows_; ++i)
    if (std::none_of(numeric_.begin(), numeric_.end(), [&](int j) { return is_missing(j, i); }))
      complete.push_back(i);
  return complete;
}

}  // namespace aslant
