// R. A. Fisher, The Use of Multiple Measurements in Taxonomic Problems, Annals of Eugenics 7, 1936.
//
// Fisher's w = S_W^-1 (m_1 - m_0) has the direction of S_T^-1 (m_1 - m_0), where
// S_T = S_W + c (m_1 - m_0) (m_1 - m_0)' is the total scatter. The pseudo-inverses of singular
// scatters differ: that of S_W ignores directions without spread in the groups, which separate them
// completely; that of S_T finds them. Columns are standardized: S_T is their correlation matrix,
// and its pseudo-inverse drops components of (almost) no variance.

#include "search/directions/discriminant.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "node/moments.hpp"
#include "search/directions/shrinkage.hpp"
#include "support/lapack.hpp"
#include "support/multiversion.hpp"
#include "tree/lanes.hpp"

namespace aslant {

namespace {

// Unexplained variances below this are rounding.
constexpr double kNoVariance = 1e-10;
// Means closer than this, in deviations, are equal.
constexpr double kEqualMeans = 1e-12;

using Vector = std::vector<double>;

// Mean and deviation of a column over all rows, and the difference of its group means.
struct Column {
  const double* x;
  double mean = 0.0, deviation = 0.0, difference = 0.0;

  double standard(std::size_t row) const { return (x[row] - mean) / deviation; }
};

// The row weights of each group, zero in the other group.
struct Groups {
  Vector weight[2];
  double total[2] = {0.0, 0.0};

  Groups(const Node& node, const std::vector<char>& group) {
    const std::vector<std::int32_t>& label = node.target().label();
    for (Vector& one : weight) one.assign(label.size(), 0.0);
    for (std::size_t i = 0; i < label.size(); ++i) {
      const auto g = static_cast<int>(group[label[i]]);
      weight[g][i] = node.weight_of(i);
      total[g] += weight[g][i];
    }
  }
};

// The sums of centered x over both groups.
ASLANT_MULTIVERSION
void centred_sums(std::size_t n, const double* x, double mean, const double* weight0,
                  const double* weight1, double* sums) {
  double lane0[kLanes] = {}, lane1[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int l = 0; l < kLanes; ++l) {
      const double centred = x[i + l] - mean;
      lane0[l] += weight0[i + l] * centred;
      lane1[l] += weight1[i + l] * centred;
    }
  for (int l = 0; i < n; ++i, ++l) {
    lane0[l] += weight0[i] * (x[i] - mean);
    lane1[l] += weight1[i] * (x[i] - mean);
  }
  sums[0] = total(lane0);
  sums[1] = total(lane1);
}

Column column_of(const Node& node, int j, const std::vector<char>& group, const Groups& groups) {
  Column column{node.column(j)};
  const Spread all = spread(node, j);
  column.mean = all.mean;
  column.deviation = all.deviation;
  double sum[2] = {0.0, 0.0};
  const KnownMoments* known = node.columns().known(j);
  if (known != nullptr && !known->class_sum.empty())
    for (std::size_t k = 0; k < group.size(); ++k) sum[group[k] != 0] += known->class_sum[k];
  else
    centred_sums(node.n_rows(), column.x, column.mean, groups.weight[0].data(),
                 groups.weight[1].data(), sum);
  const auto mean = [&](int g) { return groups.total[g] > 0.0 ? sum[g] / groups.total[g] : 0.0; };
  column.difference = (mean(1) - mean(0)) / column.deviation;
  return column;
}

// Sum over the components that have variance of v (v . b) / eigenvalue^2.
Vector through_components(const Vector& vectors, const Vector& eigenvalues, const Vector& b) {
  const std::size_t n = eigenvalues.size();
  Vector result(n, 0.0);
  for (std::size_t c = 0; c < n; ++c) {
    if (!(eigenvalues[c] > kNoVariance * eigenvalues.back())) continue;
    const double* v = &vectors[c * n];
    const double along = std::inner_product(v, v + n, b.begin(), 0.0);
    const double factor = along / (eigenvalues[c] * eigenvalues[c]);
    for (std::size_t i = 0; i < n; ++i) result[i] += factor * v[i];
  }
  return result;
}

Vector correlations(const Node& node, const std::vector<int>& indices,
                    const std::vector<Column>& columns) {
  Vector means, weight(node.n_rows());
  for (const Column& column : columns) means.push_back(column.mean);
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = node.weight_of(i);
  Vector scatter = scatter_about(node, indices, all_rows(node), means, weight);
  const std::size_t d = columns.size();
  const double total = node.target().total_weight();
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j)
      scatter[i * d + j] = scatter[i * d + j] / total / columns[i].deviation / columns[j].deviation;
  return scatter;
}

// R^-1 d by Cholesky; empty if a column nearly depends on those before it: its squared pivot is the
// share of variance that they leave.
Vector solve_regular(Vector correlation, const Vector& difference) {
  constexpr double kLeastShare = 1e-4;
  const std::size_t d = difference.size();
  if (!is_factored_by_cholesky(correlation, static_cast<int>(d))) return {};
  for (std::size_t i = 0; i < d; ++i) {
    const double pivot = correlation[i * d + i];
    if (!(pivot * pivot > kLeastShare)) return {};
  }
  return solve_triangle(correlation, solve_triangle(correlation, difference, false), true);
}

double sum_of_squares(const Vector& matrix) {
  return std::inner_product(matrix.begin(), matrix.end(), matrix.begin(), 0.0);
}

// Shrinkage of a correlation matrix of d columns, given the squares of its elements.
double shrinkage_of(const Node& node, std::size_t d, double squares) {
  const auto trace = static_cast<double>(d);
  return oas_shrinkage(trace, squares, trace, node.target().total_weight());
}

// R^+ d with the d x d correlation matrix R.
Vector solve_by_columns(const Node& node, const std::vector<int>& indices,
                        const std::vector<Column>& columns, const Vector& difference,
                        bool shrinks) {
  const std::size_t d = columns.size();
  Vector correlation = correlations(node, indices, columns);
  if (shrinks) {
    const double kept = 1.0 - shrinkage_of(node, d, sum_of_squares(correlation));
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j) correlation[i * d + j] *= i == j ? 1.0 : kept;
  }
  Vector regular = solve_regular(correlation, difference);
  if (!regular.empty()) return regular;
  return shortest_solution(std::move(correlation), difference, kNoVariance);
}

// The same from the n x n products of rows, when there are fewer rows than columns: with R = A'A,
// R^+ d = A' (A A')^+2 A d, d being a combination of the rows of A. With a share s of the identity,
// ((1 - s) A'A + s I)^-1 d = (d - (1 - s) A' ((1 - s) A A' + s I)^-1 A d) / s.
Vector solve_by_rows(const Node& node, const std::vector<Column>& columns, const Vector& difference,
                     bool shrinks) {
  const std::size_t n = node.n_rows(), d = columns.size();
  Vector A(n * d), projected(n, 0.0), products(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) {
      A[i * d + j] =
          std::sqrt(node.weight_of(i) / node.target().total_weight()) * columns[j].standard(i);
      projected[i] += A[i * d + j] * difference[j];
    }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k <= i; ++k)
      products[i * n + k] = products[k * n + i] =
          std::inner_product(&A[i * d], &A[i * d] + d, &A[k * d], 0.0);
  Vector of_rows, result(d, 0.0);
  if (shrinks) {
    const double share = shrinkage_of(node, d, sum_of_squares(products)), kept = 1.0 - share;
    for (double& product : products) product *= kept;
    for (std::size_t i = 0; i < n; ++i) products[i * n + i] += share;
    cholesky_factor(products, static_cast<int>(n));
    of_rows = solve_triangle(products, solve_triangle(products, projected, false), true);
    for (double& value : of_rows) value *= -kept / share;
    for (std::size_t j = 0; j < d; ++j) result[j] = difference[j] / share;
  } else {
    const Vector eigenvalues = symmetric_eigenvectors(products, static_cast<int>(n));
    of_rows = through_components(products, eigenvalues, projected);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) result[j] += of_rows[i] * A[i * d + j];
  return result;
}

}  // namespace

std::vector<double> discriminant_direction(const Node& node, const std::vector<int>& columns,
                                           const std::vector<char>& group, bool shrinks) {
  std::vector<int> varying;
  std::vector<Column> standard;
  Vector difference;
  bool apart = false;
  const Groups groups(node, group);
  for (int j : columns) {
    const Column column = column_of(node, j, group, groups);
    if (!(column.deviation > 0.0)) continue;
    varying.push_back(j);
    standard.push_back(column);
    difference.push_back(column.difference);
    apart = apart || std::abs(column.difference) > kEqualMeans;
  }
  if (!apart) return {};
  shrinks = shrinks && are_cases_few(node, columns.size(), Enough::for_discriminants);
  const Vector solution = node.n_rows() < varying.size()
                              ? solve_by_rows(node, standard, difference, shrinks)
                              : solve_by_columns(node, varying, standard, difference, shrinks);
  Vector direction(node.n_columns(), 0.0);
  double largest = 0.0;
  for (std::size_t i = 0; i < varying.size(); ++i) {
    direction[varying[i]] = solution[i] / standard[i].deviation;
    largest = std::max(largest, std::abs(direction[varying[i]]));
  }
  if (!(largest > 0.0) || !std::isfinite(largest)) return {};
  for (double& coef : direction) coef /= largest;  // for readability
  return direction;
}

}  // namespace aslant
