#include "node/derived_columns.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace aslant {

SampledColumns::SampledColumns(ColumnsPointer base, const std::vector<std::uint32_t>& rows)
    : NodeColumns(rows.size(), base->size()), base_(std::move(base)), rows_(rows) {
  numeric_ = base_->numeric();
  groups_ = base_->groups();
  for (CategoryGroup& group : groups_) {
    for (std::size_t i = 0; i < n_rows_; ++i) group.code[i] = group.code[rows[i]];
    group.code.resize(n_rows_);
  }
}

std::vector<int> SampledColumns::written_with(int j) const {
  std::vector<int> columns;
  if (const CategoryGroup* group = group_of(j)) {
    columns.resize(group->n_levels);
    std::iota(columns.begin(), columns.end(), group->first_column);
    return columns;
  }
  std::copy_if(numeric_.begin(), numeric_.end(), std::back_inserter(columns),
               [this](int column) { return !is_written(column); });
  return columns;
}

void SampledColumns::read(const std::vector<int>& columns, const Positions& rows,
                          double* out) const {
  std::vector<std::uint32_t> chosen;
  if (rows.list != nullptr)
    for (std::size_t i = 0; i < rows.n; ++i) chosen.push_back(rows_[rows.list[i]]);
  base_->read(columns, {rows.list ? chosen.data() : rows_.data(), rows.n}, out);
}

RestrictedColumns::RestrictedColumns(ColumnsPointer base, const std::vector<int>& columns)
    : NodeColumns(base->n_rows(), base->size()),
      base_(std::move(base)),
      chosen_(size(), 0),
      zeros_(n_rows_, 0.0) {
  for (int j : columns) chosen_[j] = 1;
  for (int j : base_->numeric())
    if (chosen_[j]) numeric_.push_back(j);
  for (const CategoryGroup& group : base_->groups()) {
    const auto first = chosen_.begin() + group.first_column;
    if (std::all_of(first, first + group.n_levels, [](char c) { return c != 0; })) {
      groups_.push_back(group);
      continue;
    }
    for (int j = group.first_column; j < group.first_column + group.n_levels; ++j)
      if (chosen_[j]) numeric_.push_back(j);
  }
  std::sort(numeric_.begin(), numeric_.end());
}

// Shares columns that the base has written, and always indicators: those of one category are
// written together. Reads other numeric columns for this node alone.
const double* RestrictedColumns::lent(int j) const {
  if (!chosen_[j]) return zeros_.data();
  return base_->is_written(j) || base_->group_of(j) || base_->levels_of(j) ? base_->column(j)
                                                                           : nullptr;
}

std::vector<int> RestrictedColumns::written_with(int j) const {
  if (is_sparse()) return {j};
  std::vector<int> columns;
  std::copy_if(numeric_.begin(), numeric_.end(), std::back_inserter(columns),
               [this](int column) { return !is_written(column) && lent(column) == nullptr; });
  return columns;
}

std::optional<SparseColumn> RestrictedColumns::sparse(int j) const {
  if (!is_sparse()) return NodeColumns::sparse(j);
  return chosen_[j] ? base_->sparse(j) : std::nullopt;
}

std::vector<int> RestrictedColumns::varying() const {
  if (!is_sparse()) return NodeColumns::varying();
  std::vector<int> varying = base_->varying();
  varying.erase(
      std::remove_if(varying.begin(), varying.end(), [this](int j) { return !chosen_[j]; }),
      varying.end());
  return varying;
}

void RestrictedColumns::read(const std::vector<int>& columns, const Positions& rows,
                             double* out) const {
  base_->read(columns, rows, out);
  for (int j : columns) {
    if (!chosen_[j]) std::fill_n(out, rows.n, 0.0);
    out += rows.n;
  }
}

ScaledColumns::ScaledColumns(ColumnsPointer base, std::vector<Spread> scales)
    : NodeColumns(base->n_rows(), base->size()),
      base_(std::move(base)),
      scales_(std::move(scales)) {
  numeric_.resize(size());
  std::iota(numeric_.begin(), numeric_.end(), 0);
  for (const CategoryGroup& group : base_->groups()) {
    by_level_.push_back({group.first_column, &group.code, {}, {}, {}});
    LevelColumns& levels = by_level_.back();
    for (int level = 0, j = group.first_column; level < group.n_levels; ++level, ++j) {
      levels.off.push_back(scaled(j, 0.0));
      levels.on.push_back(scaled(j, 1.0));
      levels.missing.push_back(scaled(j, group.fill[level]));
    }
  }
}

std::vector<int> ScaledColumns::written_with(int j) const {
  if (levels_of(j) != nullptr) return {j};
  std::vector<int> columns;
  std::copy_if(numeric_.begin(), numeric_.end(), std::back_inserter(columns),
               [this](int column) { return levels_of(column) == nullptr && !is_written(column); });
  return columns;
}

void ScaledColumns::read(const std::vector<int>& columns, const Positions& rows,
                         double* out) const {
  for (int j : columns) {
    if (const LevelColumns* levels = levels_of(j)) {
      const int level = j - levels->first_column;
      for (std::size_t i = 0; i < rows.n; ++i) {
        const std::int32_t code = (*levels->code)[rows[i]];
        out[i] =
            code < 0 ? levels->missing[level] : (code == level ? levels->on : levels->off)[level];
      }
    } else if (!varies(j)) {
      std::fill_n(out, rows.n, 0.0);
    } else {
      const double* x = base_->column(j);
      for (std::size_t i = 0; i < rows.n; ++i) out[i] = scaled(j, x[rows[i]]);
    }
    out += rows.n;
  }
}

OwnedColumns::OwnedColumns(ColumnsPointer base, std::vector<double> values,
                           const std::vector<OwnedColumn>& columns)
    : NodeColumns(base->n_rows(), static_cast<int>(columns.size())),
      base_(std::move(base)),
      values_(std::move(values)) {
  for (int j = 0; j < size(); ++j) {
    numeric_.push_back(j);
    keep(j, columns[j].values);
    known_.push_back(columns[j].known);
  }
}

OwnedColumns::OwnedColumns(ColumnsPointer base, std::vector<double> values)
    : NodeColumns(base->n_rows(), static_cast<int>(values.size() / base->n_rows())),
      base_(std::move(base)),
      values_(std::move(values)),
      known_(size()) {
  for (int j = 0; j < size(); ++j) {
    numeric_.push_back(j);
    keep(j, &values_[j * n_rows_]);
  }
}

void OwnedColumns::read(const std::vector<int>& columns, const Positions& rows, double* out) const {
  for (int j : columns) {
    const double* x = column(j);
    for (std::size_t i = 0; i < rows.n; ++i) *out++ = x[rows[i]];
  }
}

}  // namespace aslant
