#include "moving_plane.hpp"

#include <algorithm>
#include <cmath>

#include "breakpoints.hpp"

namespace aslant {

namespace {

constexpr int kMovesBetweenRefresh = 50;  // sums of many steps drift

}  // namespace

PlaneFeatures::PlaneFeatures(const Node& node, std::vector<int> columns,
                             const std::function<Scale(int column)>& scale_of)
    : node_(node), columns_(std::move(columns)) {
  for (int j : columns_) {
    const Scale scale = scale_of(j);
    const double* x = node.column(j);
    scale_.push_back(scale);
    values_.emplace_back(node.n_rows());
    std::vector<double>& z = values_.back();
    if (scale.unit == 1.0)
      for (std::size_t i = 0; i < z.size(); ++i) z[i] = x[i] - scale.origin;
    else
      for (std::size_t i = 0; i < z.size(); ++i) z[i] = (x[i] - scale.origin) / scale.unit;
  }
  values_.emplace_back(node.n_rows(), 1.0);
}

void PlaneFeatures::project(const std::vector<double>& a, std::vector<double>& out) const {
  out.assign(n_rows(), a[size()]);
  for (int m = 0; m < size(); ++m)
    if (a[m] != 0.0) add_multiple(out.size(), a[m], values(m), out.data());
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

void MovingPlane::divide_by(double length) {
  if (!(length > 0.0) || !std::isfinite(length)) return;
  for (double& coefficient : a_) coefficient /= length;
  features_.project(a_, V_);
  tolerance_ = rounding(V_);
}

void MovingPlane::advance(const double* R, double alpha) {
  if (++moves_ % kMovesBetweenRefresh == 0)
    refresh();
  else
    tolerance_ = rounding(add_multiple(V_.size(), alpha, R, V_.data()));
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
