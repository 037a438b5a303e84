// W.-Y. Loh and Y.-S. Shih, Split Selection Methods for Classification Trees, Statistica Sinica 7,
// 1997, section 2.3 and appendix. Priors are the shares of the groups at the node.

#include "search/quest_split_point.hpp"

#include <cmath>
#include <optional>

namespace aslant {

namespace {

// Intersection of the densities for equal variances.
std::optional<double> linear_point(const Normal& a, const Normal& b, double rounding) {
  const double gap = a.mean - b.mean;
  if (std::abs(gap) <= rounding) return std::nullopt;
  const double variance = (a.weight * a.variance + b.weight * b.variance) / (a.weight + b.weight);
  return 0.5 * (a.mean + b.mean) - variance * std::log(a.weight / b.weight) / gap;
}

// Just beyond a group without spread, towards the other.
double beside(const Normal& point, const Normal& other, double rounding) {
  return point.mean + (other.mean >= point.mean ? 2.0 : -2.0) * rounding;
}

// The root nearer to a's mean of the quadratic where the densities are equal.
std::optional<double> quadratic_point(const Normal& a, const Normal& b, double rounding) {
  const bool a_is_point = a.variance <= rounding * rounding;
  const bool b_is_point = b.variance <= rounding * rounding;
  if (a_is_point && b_is_point) return std::nullopt;
  if (a_is_point) return beside(a, b, rounding);
  if (b_is_point) return beside(b, a, rounding);
  const double quadratic = a.variance - b.variance;
  if (std::abs(quadratic) <= 1e-12 * (a.variance + b.variance)) return linear_point(a, b, rounding);
  // Relative to a's mean, which keeps digits; the nearer root is smaller in magnitude.
  const double gap = b.mean - a.mean;
  const double linear = -2.0 * gap * a.variance;
  const double constant = a.variance * gap * gap + a.variance * b.variance *
                                                       (2.0 * std::log(a.weight / b.weight) +
                                                        std::log(b.variance / a.variance));
  const double discriminant = linear * linear - 4.0 * quadratic * constant;
  if (discriminant < 0.0) return std::nullopt;
  // q holds the root without cancellation; the other is constant / q.
  const double q = -0.5 * (linear + std::copysign(std::sqrt(discriminant), linear));
  if (q == 0.0) return a.mean;
  const double one = q / quadratic, other = constant / q;
  return a.mean + (std::abs(other) <= std::abs(one) ? other : one);
}

}  // namespace

std::vector<double> split_points(SplitPoint rule, const Normal& a, const Normal& b,
                                 double rounding) {
  const std::optional<double> point =
      rule == SplitPoint::qda ? quadratic_point(a, b, rounding) : linear_point(a, b, rounding);
  std::vector<double> points;
  if (point && std::isfinite(*point)) points.push_back(*point);
  points.push_back(0.5 * (a.mean + b.mean));
  return points;
}

}  // namespace aslant
