#include "search/directions/ridge_direction.hpp"

#include <algorithm>
#include <cmath>

#include "support/multiversion.hpp"
#include "support/workspace.hpp"

namespace aslant {

namespace {

constexpr std::size_t kEnoughRows = 256;

// Reused across nodes.
struct RidgeBuffers {
  std::vector<double> rows;            // standardized, row-major
  std::vector<double> weight, column;  // of these rows
  std::vector<double> deviation, covariance, direction, class_mean, class_weight;
  std::vector<char> side;
};

constexpr int kTogether = 4;  // rows per pass over the matrix; sums keep their order

// sum of w x x', the lower triangle, row after row.
ASLANT_MULTIVERSION
void add_products(const double* rows, const double* weight, std::size_t n, int width,
                  double* sums) {
  std::size_t i = 0;
  for (; i + kTogether <= n; i += kTogether) {
    const double *x0 = rows + i * width, *x1 = x0 + width, *x2 = x1 + width, *x3 = x2 + width;
    double* sum = sums;
    for (int j = 0; j < width; ++j, sum += width) {
      const double f0 = weight[i] * x0[j], f1 = weight[i + 1] * x1[j], f2 = weight[i + 2] * x2[j],
                   f3 = weight[i + 3] * x3[j];
      for (int l = 0; l <= j; ++l)
        sum[l] = (((sum[l] + f0 * x0[l]) + f1 * x1[l]) + f2 * x2[l]) + f3 * x3[l];
    }
  }
  for (; i < n; ++i) {
    const double* x = rows + i * width;
    double* sum = sums;
    for (int j = 0; j < width; ++j, sum += width) {
      const double factor = weight[i] * x[j];
      for (int l = 0; l <= j; ++l) sum[l] += factor * x[l];
    }
  }
}

// Cholesky factor of a positive definite matrix, given its lower triangle; its transpose goes to
// the upper one. Every element subtracts its products in the order of the columns.
ASLANT_MULTIVERSION
void factorize(double* a, int n) {
  const auto row = [a, n](int j) { return a + static_cast<std::size_t>(j) * n; };
  for (int first = 0; first < n; first += kTogether) {
    const int end = std::min(n, first + kTogether);
    if (end - first == kTogether) {
      double *r0 = row(first), *r1 = row(first + 1), *r2 = row(first + 2), *r3 = row(first + 3);
      for (int m = 0; m < first; ++m) {
        const double* column = row(m);  // the factor's, from its diagonal on
        const double f0 = r0[m] /= column[m], f1 = r1[m] /= column[m], f2 = r2[m] /= column[m],
                     f3 = r3[m] /= column[m];
        for (int k = m + 1; k < first; ++k) {
          r0[k] -= f0 * column[k];
          r1[k] -= f1 * column[k];
          r2[k] -= f2 * column[k];
          r3[k] -= f3 * column[k];
        }
      }
    } else {
      for (int j = first; j < end; ++j)
        for (int m = 0; m < first; ++m) {
          const double *column = row(m), factor = row(j)[m] /= column[m];
          for (int k = m + 1; k < first; ++k) row(j)[k] -= factor * column[k];
        }
    }
    for (int j = first; j < end; ++j) {
      for (int k = first; k <= j; ++k) {
        double sum = row(j)[k];
        for (int m = 0; m < k; ++m) sum -= row(j)[m] * row(k)[m];
        row(j)[k] = k < j ? sum / row(k)[k] : std::sqrt(std::max(sum, 1e-12));
      }
      for (int m = 0; m < j; ++m) row(m)[j] = row(j)[m];
    }
  }
}

// Solves A x = b for a positive definite A, given its lower triangle; overwrites both.
void solve(double* a, int n, double* b) {
  factorize(a, n);
  const auto row = [a, n](int j) { return a + static_cast<std::size_t>(j) * n; };
  for (int j = 0; j < n; ++j) {
    for (int m = 0; m < j; ++m) b[j] -= row(j)[m] * b[m];
    b[j] /= row(j)[j];
  }
  for (int j = n; j-- > 0;) {
    b[j] /= row(j)[j];
    for (int m = 0; m < j; ++m) b[m] -= row(j)[m] * b[j];
  }
}

class Direction {
 public:
  Direction(const NodeView& node, const DrawnColumns& columns, int n_columns, Rng& rng)
      : rows_(node.rows()),
        columns_(columns),
        width_(n_columns),
        step_(std::max<std::size_t>(1, node.n_rows() / kEnoughRows)),
        n_((node.n_rows() + step_ - 1) / step_),
        rng_(rng),
        b_(Workspace::get<RidgeBuffers>()) {}

  std::vector<double>& find(double ridge) {
    standardise();
    b_.direction.assign(width_, 0.0);
    if (!rows_.label)
      covariance_with_target();
    else if (rows_.width == 2 || rng_.uniform() < 0.5)
      difference_of_groups();
    else
      difference_of_pair();
    b_.covariance.assign(static_cast<std::size_t>(width_) * width_, 0.0);
    add_products(b_.rows.data(), b_.weight.data(), n_, width_, b_.covariance.data());
    const double on_diagonal = ridge + 0.5 / static_cast<double>(n_);
    for (double& value : b_.covariance) value /= weight_;
    for (int j = 0; j < width_; ++j)
      b_.covariance[static_cast<std::size_t>(j) * width_ + j] += on_diagonal;
    solve(b_.covariance.data(), width_, b_.direction.data());
    for (int j = 0; j < width_; ++j)
      b_.direction[j] = b_.deviation[j] > 0.0 ? b_.direction[j] / b_.deviation[j] : 0.0;
    return b_.direction;
  }

 private:
  void standardise() {
    b_.rows.resize(n_ * width_);
    b_.weight.resize(n_);
    b_.deviation.assign(width_, 0.0);
    b_.column.resize(n_);
    double* x = b_.column.data();
    weight_ = 0.0;
    for (std::size_t i = 0; i < n_; ++i) weight_ += b_.weight[i] = rows_.weight_of(i * step_);
    for (int j = 0; j < width_; ++j) {
      columns_.copy(j, step_, x);
      double sum = 0.0, squares = 0.0;
      for (std::size_t i = 0; i < n_; ++i) sum += b_.weight[i] * x[i];
      const double mean = sum / weight_;
      for (std::size_t i = 0; i < n_; ++i) {
        const double distance = x[i] - mean;
        squares += b_.weight[i] * distance * distance;
      }
      b_.deviation[j] = std::sqrt(squares / weight_);
      const double scale = b_.deviation[j] > 0.0 ? 1.0 / b_.deviation[j] : 0.0;
      for (std::size_t i = 0; i < n_; ++i) b_.rows[i * width_ + j] = (x[i] - mean) * scale;
    }
  }

  void covariance_with_target() {
    const int outputs = rows_.width - 1, which = outputs == 1 ? 0 : rng_.below(outputs);
    double mean = 0.0;
    for (std::size_t i = 0; i < n_; ++i) mean += b_.weight[i] * target(i, which) / weight_;
    for (std::size_t i = 0; i < n_; ++i)
      add_row(i, b_.weight[i] * (target(i, which) - mean) / weight_);
  }

  double target(std::size_t i, int which) const {
    return rows_.target[i * step_ * (rows_.width - 1) + which];
  }

  // Assigns every class to one of two nonempty sides.
  void difference_of_groups() {
    b_.side.resize(rows_.width);
    for (int k = 0; k < rows_.width; ++k) b_.side[k] = rng_.below(2) == 1;
    const auto on_one = std::count(b_.side.begin(), b_.side.end(), 1);
    if (on_one == 0 || on_one == rows_.width) {
      const int other = rng_.below(rows_.width);
      b_.side[other] = !b_.side[other];
    }
    double weight[2] = {0.0, 0.0};
    for (std::size_t i = 0; i < n_; ++i) weight[side(i)] += b_.weight[i];
    if (!(weight[0] > 0.0) || !(weight[1] > 0.0)) return;  // the rows read show one side only
    for (std::size_t i = 0; i < n_; ++i)
      add_row(i, (side(i) ? 1.0 : -1.0) * b_.weight[i] / weight[side(i)]);
  }

  int side(std::size_t i) const { return b_.side[rows_.label[i * step_]]; }

  // Centers the rows at their class means.
  void difference_of_pair() {
    const int first = rng_.below(rows_.width),
              second = (first + 1 + rng_.below(rows_.width - 1)) % rows_.width;
    b_.class_mean.assign(static_cast<std::size_t>(rows_.width) * width_, 0.0);
    b_.class_weight.assign(rows_.width, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
      const int k = rows_.label[i * step_];
      b_.class_weight[k] += b_.weight[i];
      for (int j = 0; j < width_; ++j)
        b_.class_mean[static_cast<std::size_t>(k) * width_ + j] +=
            b_.weight[i] * b_.rows[i * width_ + j];
    }
    for (int k = 0; k < rows_.width; ++k)
      if (b_.class_weight[k] > 0.0)
        for (int j = 0; j < width_; ++j)
          b_.class_mean[static_cast<std::size_t>(k) * width_ + j] /= b_.class_weight[k];
    for (int j = 0; j < width_; ++j)
      b_.direction[j] = b_.class_mean[static_cast<std::size_t>(first) * width_ + j] -
                        b_.class_mean[static_cast<std::size_t>(second) * width_ + j];
    for (std::size_t i = 0; i < n_; ++i)
      for (int j = 0; j < width_; ++j)
        b_.rows[i * width_ + j] -=
            b_.class_mean[static_cast<std::size_t>(rows_.label[i * step_]) * width_ + j];
  }

  void add_row(std::size_t i, double factor) {
    for (int j = 0; j < width_; ++j) b_.direction[j] += factor * b_.rows[i * width_ + j];
  }

  const SweepRows& rows_;
  const DrawnColumns& columns_;
  int width_;
  std::size_t step_, n_;
  Rng& rng_;
  RidgeBuffers& b_;
  double weight_ = 0.0;
};

}  // namespace

std::vector<double>& ridge_direction(const NodeView& node, const DrawnColumns& columns,
                                     int n_columns, double ridge, Rng& rng) {
  return Direction(node, columns, n_columns, rng).find(ridge);
}

}  // namespace aslant
