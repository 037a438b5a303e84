#include "node/contingency.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/counting.hpp"
#include "support/lapack.hpp"

namespace aslant {

Contingency::Contingency(const Node& node, const CategoryGroup& group)
    : width(node.target().width()),
      has_classes(node.target().has_classes()),
      rows(group.n_levels + 1, 0),
      missing(group.n_levels),
      statistics_((group.n_levels + 1) * width, 0.0) {
  if (has_classes && node.target().weight().empty())
    count_rows(node.target().label(), group.code);
  else
    add_rows(node.target(), group.code);
  for (int level = 0; level < group.n_levels; ++level)
    if (rows[level] > 0) present.push_back(level);
  for (int k = 0; has_classes && k < width; ++k)
    if (node.target().class_weight()[k] > 0.0) classes.push_back(k);
}

void Contingency::add_rows(const NodeTarget& target, const std::vector<std::int32_t>& code) {
  for (std::size_t i = 0; i < code.size(); ++i) {
    const int level = code[i] < 0 ? missing : code[i];
    target.add(i, &statistics_[level * width]);
    ++rows[level];
  }
}

// The same for unit weights.
void Contingency::count_rows(const std::vector<std::int32_t>& label,
                             const std::vector<std::int32_t>& code) {
  count_by(code.size(), statistics_.size(), statistics_.data(),
           [&](std::size_t i) { return (code[i] < 0 ? missing : code[i]) * width + label[i]; });
  for (int level = 0; level <= missing; ++level)
    rows[level] = static_cast<std::int64_t>(total(level));
}

double Contingency::total(int level) const {
  const double* sums = statistics(level);
  return has_classes ? std::accumulate(sums, sums + width, 0.0) : sums[0];
}

namespace {

// Below this fraction of the variation, levels and classes are independent up to rounding.
constexpr double kIndependent = 1e-20;

// Standardized residuals D_r^-1/2 (N - r c' / n) D_c^-1/2 of the levels and classes that occur.
struct Residuals {
  explicit Residuals(const Contingency& table)
      : n_levels(table.present.size()),
        n_classes(table.classes.size()),
        level_mass(n_levels, 0.0),
        value(n_levels * n_classes, 0.0) {
    // Heaviest class first: the result does not depend on class numbering.
    std::vector<double> class_mass(table.width, 0.0);
    for (std::size_t i = 0; i < n_levels; ++i)
      for (int k : table.classes) {
        level_mass[i] += table.at(table.present[i], k);
        class_mass[k] += table.at(table.present[i], k);
      }
    std::vector<int> classes = table.classes;
    std::stable_sort(classes.begin(), classes.end(),
                     [&](int a, int b) { return class_mass[a] > class_mass[b]; });
    total = std::accumulate(level_mass.begin(), level_mass.end(), 0.0);
    for (std::size_t i = 0; i < n_levels; ++i)
      for (std::size_t c = 0; c < n_classes; ++c) {
        const double expected = level_mass[i] * class_mass[classes[c]] / total;
        if (expected > 0.0)
          value[i * n_classes + c] =
              (table.at(table.present[i], classes[c]) - expected) / std::sqrt(expected);
      }
  }

  double at(std::size_t level, std::size_t c) const { return value[level * n_classes + c]; }

  std::size_t n_levels, n_classes;
  std::vector<double> level_mass, value;
  double total = 0.0;
};

// Closed form of the last of symmetric_eigenvectors(): two classes or two levels are common, and
// LAPACK would dominate the cost.
std::vector<double> leading_vector_of_two(const std::vector<double>& gram, double& eigenvalue) {
  const double half = 0.5 * (gram[0] - gram[3]), across = gram[1];
  const double radius = std::hypot(half, across);
  eigenvalue = 0.5 * (gram[0] + gram[3]) + radius;
  if (radius == 0.0) return {0.0, 1.0};
  // (half + radius, across) or (across, radius - half): the one without cancellation.
  const double first = half >= 0.0 ? half + radius : across;
  const double second = half >= 0.0 ? across : radius - half;
  const double length = std::hypot(first, second);
  return {first / length, second / length};
}

// Eigenvector of the largest eigenvalue of Z Z', n x n, where Z's element (i, k) is at(i, k).
template <class Element>
std::vector<double> leading_vector(std::size_t n, std::size_t inner, const Element& at,
                                   double& eigenvalue) {
  std::vector<double> gram(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < inner; ++k) sum += at(i, k) * at(j, k);
      gram[i * n + j] = gram[j * n + i] = sum;
    }
  if (n == 2) return leading_vector_of_two(gram, eigenvalue);
  eigenvalue = symmetric_eigenvectors(gram, static_cast<int>(n)).back();
  return {gram.end() - static_cast<std::ptrdiff_t>(n), gram.end()};
}

}  // namespace

// The first left singular vector of the residuals, from the shorter side of the table.
std::vector<double> first_axis(const Contingency& table) {
  const Residuals residuals(table);
  const std::size_t m = residuals.n_levels, k = residuals.n_classes;
  std::vector<double> axis(m, 0.0);
  if (m == 0) return axis;
  double eigenvalue = 0.0;
  if (m <= k) {
    axis = leading_vector(
        m, k, [&](std::size_t i, std::size_t c) { return residuals.at(i, c); }, eigenvalue);
  } else {
    const std::vector<double> of_classes = leading_vector(
        k, m, [&](std::size_t c, std::size_t i) { return residuals.at(i, c); }, eigenvalue);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t c = 0; c < k; ++c) axis[i] += residuals.at(i, c) * of_classes[c];
  }
  if (!(eigenvalue > kIndependent * residuals.total)) return std::vector<double>(m, 0.0);
  for (std::size_t i = 0; i < m; ++i) axis[i] /= std::sqrt(residuals.level_mass[i]);
  return axis;
}

}  // namespace aslant
