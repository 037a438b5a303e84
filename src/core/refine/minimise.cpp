#include "refine/minimise.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace aslant {

namespace {

using Vector = std::vector<double>;

constexpr double kArmijo = 1e-4;   // share of the predicted decrease that a step must reach
constexpr int kMostHalvings = 30;  // of one step
constexpr double kCurved = 1e-10;  // least curvature of a pair, relative to the gradient change

double dot(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// Curvature pairs: steps and the gradient changes along them.
class History {
 public:
  explicit History(int memory) : memory_(static_cast<std::size_t>(memory)) {}

  void add(Vector step, Vector change) {
    const double along = dot(step, change);
    if (!(along > kCurved * dot(change, change))) return;
    if (pairs_.size() == memory_) pairs_.pop_front();
    scale_ = along / dot(change, change);
    pairs_.push_back({std::move(step), std::move(change), along});
  }

  // Minus the approximate inverse Hessian times the gradient.
  Vector direction(const Vector& gradient) const {
    Vector d(gradient.size());
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = -gradient[i];
    if (pairs_.empty()) return d;
    Vector alpha(pairs_.size());
    for (std::size_t p = pairs_.size(); p-- > 0;) {
      alpha[p] = dot(pairs_[p].step, d) / pairs_[p].along;
      for (std::size_t i = 0; i < d.size(); ++i) d[i] -= alpha[p] * pairs_[p].change[i];
    }
    for (double& value : d) value *= scale_;
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const double beta = dot(pairs_[p].change, d) / pairs_[p].along;
      for (std::size_t i = 0; i < d.size(); ++i) d[i] += (alpha[p] - beta) * pairs_[p].step[i];
    }
    return d;
  }

  // The same with other parameters at rest: curvature in the space of the moving ones.
  History among(const std::vector<char>& moves) const {
    History other(static_cast<int>(memory_));
    const auto kept = [&](Vector v) {
      for (std::size_t i = 0; i < v.size(); ++i)
        if (!moves[i]) v[i] = 0.0;
      return v;
    };
    for (const Pair& pair : pairs_) other.add(kept(pair.step), kept(pair.change));
    return other;
  }

  bool empty() const { return pairs_.empty(); }
  void clear() { pairs_.clear(); }

 private:
  struct Pair {
    Vector step, change;
    double along;
  };
  std::size_t memory_;
  std::deque<Pair> pairs_;
  double scale_ = 1.0;
};

class Descent {
 public:
  Descent(const SmoothFunction& function, Vector point, const ParameterRules& rules,
          const MinimiseOptions& options)
      : function_(function),
        l1_(rules.l1),
        sign_(rules.sign),
        options_(options),
        history_(options.memory) {
    here_.point = std::move(point);
    evaluate(here_);
  }

  Minimum run() {
    int iteration = 0;
    for (; iteration < options_.max_iterations; ++iteration) {
      const double before = here_.value;
      if (!step()) break;
      if (before - here_.value <=
          options_.tolerance * std::max({std::abs(before), std::abs(here_.value), 1e-300})) {
        ++iteration;
        break;
      }
    }
    return {std::move(here_.point), here_.value, iteration};
  }

 private:
  struct Place {
    Vector point, gradient, downhill;  // downhill: pseudo-gradient with the L1 penalty
    double value = 0.0;
  };

  double l1_of(std::size_t i) const { return l1_.empty() ? 0.0 : l1_[i]; }

  void evaluate(Place& place) const {
    place.gradient.resize(place.point.size());
    place.value = function_(place.point, place.gradient);
    for (std::size_t i = 0; i < l1_.size(); ++i) place.value += l1_[i] * std::abs(place.point[i]);
    place.downhill = place.gradient;
    for (std::size_t i = 0; i < l1_.size(); ++i)
      place.downhill[i] = slope_with_l1(place.point[i], place.gradient[i], l1_[i]);
    for (std::size_t i = 0; i < sign_.size(); ++i)  // a parameter at its bound may not pass it
      if (place.point[i] == 0.0 && sign_[i] * place.downhill[i] > 0.0) place.downhill[i] = 0.0;
  }

  // Pseudo-gradient: at zero the slope of the descending side, 0 if none descends.
  static double slope_with_l1(double x, double slope, double l1) {
    if (x > 0.0) return slope + l1;
    if (x < 0.0) return slope - l1;
    if (slope + l1 < 0.0) return slope + l1;
    if (slope - l1 > 0.0) return slope - l1;
    return 0.0;
  }

  // Whether a descent step was found. A misleading history is cleared once.
  bool step() {
    if (try_direction(direction())) return true;
    if (history_.empty()) return false;
    history_.clear();
    return try_direction(direction());
  }

  // Parameters that rest at their bounds take no part: else the others would follow a direction
  // that the step does not take.
  Vector direction() const {
    if (sign_.empty()) return history_.direction(here_.downhill);
    std::vector<char> moves(sign_.size());
    for (std::size_t i = 0; i < moves.size(); ++i)
      moves[i] = sign_[i] == 0 || here_.point[i] != 0.0 || here_.downhill[i] != 0.0;
    return history_.among(moves).direction(here_.downhill);
  }

  bool try_direction(Vector direction) {
    for (std::size_t i = 0; i < l1_.size(); ++i)  // stay in the descending orthant
      if (l1_[i] > 0.0 && direction[i] * here_.downhill[i] >= 0.0) direction[i] = 0.0;
    for (std::size_t i = 0; i < sign_.size(); ++i)
      if (here_.point[i] == 0.0 && sign_[i] * direction[i] < 0.0) direction[i] = 0.0;
    const double slope = dot(direction, here_.downhill);
    if (!(slope < 0.0)) return false;
    double length = history_.empty() ? std::min(1.0, 1.0 / std::sqrt(-slope)) : 1.0;
    Place next;
    for (int halving = 0; halving < kMostHalvings; ++halving) {
      next.point = moved(direction, length);
      evaluate(next);
      const double promised = promise(next.point);
      if (std::isfinite(next.value) && promised < 0.0 &&
          next.value <= here_.value + kArmijo * promised) {
        accept(std::move(next));
        return true;
      }
      length *= shorter(slope * length, next.value - here_.value);
    }
    return false;
  }

  // Penalized parameters stop at zero instead of changing sign, bounded ones at their bound.
  Vector moved(const Vector& direction, double length) const {
    Vector point = here_.point;
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] += length * direction[i];
      if (!sign_.empty() && sign_[i] * point[i] < 0.0) point[i] = 0.0;
      if (!(l1_of(i) > 0.0)) continue;
      const double side = here_.point[i] != 0.0 ? here_.point[i] : -here_.downhill[i];
      if (point[i] * side <= 0.0) point[i] = 0.0;
    }
    return point;
  }

  double promise(const Vector& point) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < point.size(); ++i)
      sum += here_.downhill[i] * (point[i] - here_.point[i]);
    return sum;
  }

  // Fraction of the step at the minimum of the parabola through both values and the slope.
  static double shorter(double promised, double change) {
    if (!std::isfinite(change)) return 0.1;
    return std::min(0.5, std::max(0.1, -promised / (2.0 * (change - promised))));
  }

  void accept(Place next) {
    Vector step(next.point.size()), change(next.point.size());
    for (std::size_t i = 0; i < step.size(); ++i) {
      step[i] = next.point[i] - here_.point[i];
      change[i] = next.gradient[i] - here_.gradient[i];
    }
    history_.add(std::move(step), std::move(change));
    here_ = std::move(next);
  }

  const SmoothFunction& function_;
  const Vector& l1_;
  const std::vector<int>& sign_;
  const MinimiseOptions& options_;
  History history_;
  Place here_;
};

}  // namespace

Minimum minimise(const SmoothFunction& function, std::vector<double> point,
                 const ParameterRules& rules, const MinimiseOptions& options) {
  return Descent(function, std::move(point), rules, options).run();
}

}  // namespace aslant
