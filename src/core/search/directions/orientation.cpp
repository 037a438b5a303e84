// The robust covariance uses the spatial signs (x - m) / |x - m| about the median m, so outliers
// have little influence. For an elliptical class it has the same ordered eigenvectors.
//
// N. Locantore et al., Robust principal component analysis for functional data, Test 8, 1999.
// S. Visuri, V. Koivunen and H. Oja, Sign and rank covariance matrices, Journal of Statistical
// Planning and Inference 91, 2000.

#include "search/directions/orientation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "node/moments.hpp"
#include "search/directions/shrinkage.hpp"
#include "support/lapack.hpp"

namespace aslant {

namespace {

using Vector = std::vector<double>;
using Rows = std::vector<std::uint32_t>;

// Smaller eigenvalues, relative to the largest, are rounding.
constexpr double kNoSpread = 1e-12;

bool any_differ(const Node& node, const std::vector<int>& columns, const Rows& rows) {
  for (int j : columns) {
    const double* x = node.column(j);
    for (std::uint32_t row : rows)
      if (x[row] != x[rows[0]]) return true;
  }
  return false;
}

// Weighted median; the mean of two middle values, so that no side is preferred.
double median(std::vector<std::pair<double, double>> values_and_weights) {
  std::sort(values_and_weights.begin(), values_and_weights.end());
  double total = 0.0, below = 0.0;
  for (const auto& [value, weight] : values_and_weights) total += weight;
  for (std::size_t i = 0; i < values_and_weights.size(); ++i) {
    below += values_and_weights[i].second;
    if (below > total / 2.0) return values_and_weights[i].first;
    if (below == total / 2.0)
      return (values_and_weights[i].first + values_and_weights[i + 1].first) / 2.0;
  }
  return values_and_weights.back().first;
}

// The center of the rows, and the weight of each.
struct Dispersion {
  Vector centre;  // per column
  Vector weight;  // per row
};

Dispersion about_mean(const Node& node, const std::vector<int>& columns, const Rows& rows) {
  Dispersion dispersion{means_of(node, columns, rows), {}};
  for (std::uint32_t row : rows) dispersion.weight.push_back(node.weight_of(row));
  return dispersion;
}

// Weighting a row by 1 / |x - m|^2 gives its spatial sign.
Dispersion about_median(const Node& node, const std::vector<int>& columns, const Rows& rows) {
  Dispersion dispersion;
  Vector squared_length(rows.size(), 0.0);
  std::vector<std::pair<double, double>> values(rows.size());
  for (int j : columns) {
    const double* x = node.column(j);
    for (std::size_t r = 0; r < rows.size(); ++r) values[r] = {x[rows[r]], node.weight_of(rows[r])};
    const double centre = median(values);
    dispersion.centre.push_back(centre);
    for (std::size_t r = 0; r < rows.size(); ++r)
      squared_length[r] += (x[rows[r]] - centre) * (x[rows[r]] - centre);
  }
  for (std::size_t r = 0; r < rows.size(); ++r)
    dispersion.weight.push_back(
        squared_length[r] > 0.0 ? node.weight_of(rows[r]) / squared_length[r] : 0.0);
  return dispersion;
}

// Eigenvectors of X'X from those of XX', which is smaller when rows are fewer than columns: if
// XX'v = lambda v, then X'v is an eigenvector of X'X with the same eigenvalue.
std::vector<Vector> thin_eigenvectors(const Node& node, const std::vector<int>& columns,
                                      const Rows& rows, const Dispersion& dispersion) {
  const std::size_t n = rows.size(), width = columns.size();
  Vector X(n * width);  // row after row
  for (std::size_t j = 0; j < width; ++j) {
    const double* x = node.column(columns[j]);
    for (std::size_t r = 0; r < n; ++r)
      X[r * width + j] = std::sqrt(dispersion.weight[r]) * (x[rows[r]] - dispersion.centre[j]);
  }
  Vector gram(n * n, 0.0);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      for (std::size_t j = 0; j < width; ++j)
        gram[a * n + b] += X[a * width + j] * X[b * width + j];
      gram[b * n + a] = gram[a * n + b];
    }
  const Vector eigenvalues = symmetric_eigenvectors(gram, static_cast<int>(n));
  std::vector<Vector> result;
  for (std::size_t i = n; i-- > 0 && eigenvalues[i] > kNoSpread * eigenvalues[n - 1];) {
    Vector direction(width, 0.0);
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t j = 0; j < width; ++j) direction[j] += gram[i * n + r] * X[r * width + j];
    for (double& value : direction) value /= std::sqrt(eigenvalues[i]);
    result.push_back(std::move(direction));
  }
  return result;
}

std::vector<Vector> full_eigenvectors(Vector scatter, std::size_t width, bool all_null) {
  const Vector eigenvalues = symmetric_eigenvectors(scatter, static_cast<int>(width));
  std::size_t rank = 0;
  for (double value : eigenvalues) rank += value > kNoSpread * eigenvalues[width - 1];
  const std::size_t determined = all_null || rank + 1 == width ? width : rank;  // see the header
  std::vector<Vector> result;
  for (std::size_t i = width; i-- > width - determined;)
    result.emplace_back(scatter.begin() + static_cast<std::ptrdiff_t>(i * width),
                        scatter.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
  return result;
}

// Standardized rows, row-major, so that X'X are the correlations.
struct StandardRows {
  Vector X, deviation;
};

StandardRows standard_rows(const Node& node, const std::vector<int>& columns, const Rows& rows,
                           const Dispersion& dispersion) {
  const std::size_t width = columns.size();
  StandardRows standard{Vector(rows.size() * width), Vector(width, 0.0)};
  for (std::size_t j = 0; j < width; ++j) {
    const double* x = node.column(columns[j]);
    const auto value = [&](std::size_t r) {
      return std::sqrt(dispersion.weight[r]) * (x[rows[r]] - dispersion.centre[j]);
    };
    double squares = 0.0;
    for (std::size_t r = 0; r < rows.size(); ++r) squares += value(r) * value(r);
    standard.deviation[j] = std::sqrt(squares);
    for (std::size_t r = 0; squares > 0.0 && r < rows.size(); ++r)
      standard.X[r * width + j] = value(r) / standard.deviation[j];
  }
  return standard;
}

// Eigenvectors of the covariance above noise. The correlations are R = V L V'; eigenvalues that
// independent columns could have are noise of the same size c in all directions (L. Laloux, P.
// Cizeau, J.-P. Bouchaud and M. Potters, Noise dressing of financial correlation matrices, 1999).
// The rest, B B' with B = D V (L - c)^(1/2), D deviations, has eigenvectors B w where B'B w = mu w.
std::vector<Vector> eigenvectors_above_noise(const Node& node, const std::vector<int>& columns,
                                             const Rows& rows, const Dispersion& dispersion) {
  const std::size_t n = rows.size(), width = columns.size();
  const StandardRows standard = standard_rows(node, columns, rows, dispersion);
  const double* X = standard.X.data();
  const bool thin = n < width;  // X X' and X'X have the same eigenvalues
  const std::size_t size = std::min(n, width);
  Vector products(size * size, 0.0);
  for (std::size_t r = 0; r < (thin ? 1 : n); ++r)
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        products[a * size + b] +=
            thin ? std::inner_product(X + a * width, X + (a + 1) * width, X + b * width, 0.0)
                 : X[r * width + a] * X[r * width + b];
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b < a; ++b) products[b * size + a] = products[a * size + b];
  const Vector eigenvalues = symmetric_eigenvectors(products, static_cast<int>(size));
  double cases = 0.0;
  for (std::uint32_t row : rows) cases += node.weight_of(row);
  const double noise = largest_of_noise(static_cast<double>(width), cases);
  std::size_t first = size;
  double rest = static_cast<double>(width);
  while (first > 0 && eigenvalues[first - 1] > noise) rest -= eigenvalues[--first];
  const std::size_t count = size - first;
  if (count == 0) return {};
  const double c = count < width ? std::max(0.0, rest) / static_cast<double>(width - count) : 0.0;
  std::vector<Vector> B(count, Vector(width, 0.0));
  for (std::size_t k = 0; k < count; ++k) {
    const double value = eigenvalues[first + k], *vector = &products[(first + k) * size];
    for (std::size_t r = 0; thin && r < n; ++r)
      for (std::size_t j = 0; j < width; ++j)
        B[k][j] += vector[r] / std::sqrt(value) * X[r * width + j];
    if (!thin) B[k].assign(vector, vector + width);
    for (std::size_t j = 0; j < width; ++j)
      B[k][j] *= std::sqrt(std::max(0.0, value - c)) * standard.deviation[j];
  }
  Vector inner(count * count);
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      inner[a * count + b] = std::inner_product(B[a].begin(), B[a].end(), B[b].begin(), 0.0);
  const Vector spread = symmetric_eigenvectors(inner, static_cast<int>(count));
  std::vector<Vector> result;
  for (std::size_t k = count; k-- > 0 && spread[k] > kNoSpread * spread[count - 1];) {
    Vector direction(width, 0.0);
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t j = 0; j < width; ++j)
        direction[j] += inner[k * count + a] / std::sqrt(spread[k]) * B[a][j];
    result.push_back(std::move(direction));
  }
  return result;
}

// d and -d are equivalent: makes the first nonzero component positive.
void fix_sign(Vector& direction) {
  constexpr double kZero = 1e-15;  // smaller components are rounding
  for (double& value : direction)
    if (std::abs(value) <= kZero) value = 0.0;
  const auto first =
      std::find_if(direction.begin(), direction.end(), [](double value) { return value != 0.0; });
  if (first == direction.end() || *first > 0.0) return;
  for (double& value : direction) value = 0.0 - value;
}

}  // namespace

std::vector<Vector> orientations(const Node& node, const std::vector<int>& columns,
                                 const Rows& rows, const OrientationOptions& options) {
  if (rows.size() < 2 || !any_differ(node, columns, rows)) return {};
  const Dispersion dispersion =
      options.robust ? about_median(node, columns, rows) : about_mean(node, columns, rows);
  std::vector<Vector> result;
  if (options.shrinks && are_cases_few(node, columns.size(), Enough::for_orientations)) {
    result = eigenvectors_above_noise(node, columns, rows, dispersion);
  } else if (rows.size() < columns.size() && (options.dominant || !options.all_null)) {
    result = thin_eigenvectors(node, columns, rows, dispersion);
  } else {
    Vector scatter = scatter_about(node, columns, rows, dispersion.centre, dispersion.weight);
    if (options.dominant)
      result.push_back(dominant_eigenvector(scatter, static_cast<int>(columns.size())));
    else
      result = full_eigenvectors(std::move(scatter), columns.size(), options.all_null);
  }
  if (options.dominant && result.size() > 1) result.resize(1);
  for (Vector& direction : result) fix_sign(direction);
  return result;
}

}  // namespace aslant
