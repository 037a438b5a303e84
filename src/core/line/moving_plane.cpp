#include "line/moving_plane.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "line/breakpoints.hpp"

namespace aslant {

namespace {

constexpr int kMovesBetweenRefresh = 50;  // accumulated sums drift
constexpr std::size_t kFew = 2;           // a feature of few rows has at most one in so many

}  // namespace

PlaneFeatures::PlaneFeatures(const Node& node, std::vector<int> columns,
                             const std::function<Scale(int column)>& scale_of, Keep keep)
    : node_(node), columns_(std::move(columns)), rows_(columns_.size() + 1) {
  const SweepRows all = node.target().sweep_rows();
  if (node.columns().is_sparse() && !(keep == Keep::few_rows && all.countable))
    throw std::invalid_argument(
        "this search reads sparse features only for classes whose sample weights are equal, "
        "integers or one weight per class");
  for (int j : columns_) {
    scale_.push_back(scale_of(j));
    few_.push_back(keep == Keep::few_rows && all.countable && keep_few(j, scale_.back()));
    if (!few_.back()) keep_all(node.column(j), scale_.back());
    gathered_.push_back(few_.back() ? GatheredRows(all, rows_[few_.size() - 1]) : GatheredRows());
  }
  values_.emplace_back(node.n_rows(), 1.0);
  few_.push_back(false);
}

void PlaneFeatures::keep_all(const double* x, const Scale& scale) {
  values_.emplace_back(n_rows());
  std::vector<double>& z = values_.back();
  if (scale.unit == 1.0)
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = x[i] - scale.origin;
  else
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = (x[i] - scale.origin) / scale.unit;
}

// Keeps only the rows away from the origin; false if they are too many.
bool PlaneFeatures::keep_few(int j, const Scale& scale) {
  std::optional<SparseColumn> sparse = node_.columns().sparse(j);
  if (sparse && scale.origin == 0.0) return keep_few(std::move(*sparse), scale);
  const std::size_t most = n_rows() / kFew;
  const double* x = node_.column(j);
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < n_rows() && rows.size() <= most; ++i)
    if (x[i] != scale.origin) rows.push_back(static_cast<std::uint32_t>(i));
  if (rows.size() > most) return false;
  values_.emplace_back();
  for (std::uint32_t row : rows) values_.back().push_back((x[row] - scale.origin) / scale.unit);
  rows_[values_.size() - 1] = std::move(rows);
  return true;
}

bool PlaneFeatures::keep_few(SparseColumn column, const Scale& scale) {
  if (column.rows.size() > n_rows() / kFew) return false;
  for (double& value : column.values) value /= scale.unit;
  values_.push_back(std::move(column.values));
  rows_[values_.size() - 1] = std::move(column.rows);
  return true;
}

double PlaneFeatures::value(int m, std::size_t row) const {
  if (!few_[m]) return values_[m][row];
  const auto place = std::lower_bound(rows_[m].begin(), rows_[m].end(), row);
  return place != rows_[m].end() && *place == row ? values_[m][place - rows_[m].begin()] : 0.0;
}

void PlaneFeatures::project(const std::vector<double>& a, std::vector<double>& out) const {
  out.assign(n_rows(), a[size()]);
  for (int m = 0; m < size(); ++m) {
    if (a[m] == 0.0) continue;
    if (!few_[m])
      add_multiple(out.size(), a[m], values(m), out.data());
    else
      for (std::size_t k = 0; k < rows_[m].size(); ++k) out[rows_[m][k]] += a[m] * values_[m][k];
  }
}

std::vector<double> PlaneFeatures::coefficients(const Split& split) const {
  std::vector<double> a(size() + 1, 0.0);
  a[size()] = -split.offsets[0];
  for (std::size_t c = 0; c < split.columns.size(); ++c) {
    const auto m =
        std::lower_bound(columns_.begin(), columns_.end(), split.columns[c]) - columns_.begin();
    a[m] = split.coefs[c] * scale_[m].unit;
    a[size()] += split.coefs[c] * scale_[m].origin;
  }
  return a;
}

Split PlaneFeatures::split(const std::vector<double>& a, double score) const {
  std::vector<double> coef(node_.n_columns(), 0.0);
  double threshold = -a[size()];
  for (int m = 0; m < size(); ++m) {
    coef[columns_[m]] = a[m] / scale_[m].unit;
    threshold += coef[columns_[m]] * scale_[m].origin;
  }
  return scaled_hyperplane(std::move(coef), threshold, score);
}

void MovingPlane::set(std::vector<double> a) {
  a_ = std::move(a);
  refresh();
}

std::optional<LineOptimum> MovingPlane::along(int m, double floor) {
  if (!features_.has_few_rows(m)) return along(features_.values(m), floor);
  if (!is_counted_) child0_ = search_.counts_of_child0(V_.data());
  is_counted_ = true;
  return search_.along_few(V_.data(), features_.moving(m), child0_, tolerance_, floor);
}

void MovingPlane::divide_by(double length) {
  if (!(length > 0.0) || !std::isfinite(length)) return;
  for (double& coefficient : a_) coefficient /= length;
  features_.project(a_, V_);
  tolerance_ = rounding(V_);
  is_counted_ = false;
}

void MovingPlane::advance(const double* R, double alpha) {
  is_counted_ = false;
  if (!refreshed()) tolerance_ = rounding(add_multiple(V_.size(), alpha, R, V_.data()));
}

// The rows that stay keep the rounding tolerance from shrinking.
void MovingPlane::advance_few(int m, double alpha) {
  if (refreshed()) return;
  double largest = 0.0;
  const std::vector<std::uint32_t>& rows = features_.rows(m);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    double& V = V_[rows[k]];
    const bool was_inside = V <= 0.0;
    V += alpha * features_.values(m)[k];
    largest = std::max(largest, std::abs(V));
    if (is_counted_ && was_inside != (V <= 0.0)) search_.count(child0_, rows[k], !was_inside);
  }
  tolerance_ = std::max(tolerance_, rounding(largest));
}

bool MovingPlane::refreshed() {
  if (++moves_ % kMovesBetweenRefresh != 0) return false;
  refresh();
  return true;
}

void MovingPlane::refresh() {
  double largest = 0.0;
  for (int m = 0; m < features_.size(); ++m) largest = std::max(largest, std::abs(a_[m]));
  if (largest > 0.0)
    divide_by(largest);
  else
    divide_by(1.0);
}

}  // namespace aslant
