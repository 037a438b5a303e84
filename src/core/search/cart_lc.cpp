// L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, 1984,
// chapter 5, as described by Murthy, Kasif and Salzberg (1994), figure 4, and by Brodley and Utgoff
// (1995), sections 3.4 and 4.5. The figure's delta (a_i + gamma) is delta (x_i + gamma), and its
// c - delta gamma is c + delta gamma: both are misprints.

#include "search/cart_lc.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "line/moving_plane.hpp"
#include "node/moments.hpp"
#include "search/axis_parallel.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

// (x - median) / interquartile range. Without normalization only the median is subtracted, so the
// steps x_i + gamma do not depend on a feature's origin. OC1 uses zero, or the minimum if negative.
PlaneFeatures features_of(const Node& node, const CartLCOptions& options) {
  return PlaneFeatures(node, node.columns().varying(), [&](int j) {
    if (!options.normalize && (options.original_zero || options.legacy_sweep))
      return PlaneFeatures::Scale{std::min(0.0, quantile(node, j, 0.0)), 1.0};
    PlaneFeatures::Scale scale{quantile(node, j, 0.5), 1.0};
    if (!options.normalize) return scale;
    scale.unit = quantile(node, j, 0.75) - quantile(node, j, 0.25);
    if (!(scale.unit > 0.0)) scale.unit = quantile(node, j, 1.0) - quantile(node, j, 0.0);
    return scale;
  });
}

// The combination v = sum w_i x_i <= c while it is improved, as the plane V = v - c.
class Combination {
 public:
  Combination(const PlaneFeatures& features, const CartLCOptions& options,
              const SearchContext& context)
      : features_(features),
        options_(options),
        context_(context),
        plane_(features),
        R_(features.n_rows()) {}

  void start_at(const Split& split) {
    plane_.set(features_.coefficients(split));
    score_ = best_score_ = split.score;
    normalise_length();
    remember();
  }

  // Figure 4: cycles over the features until the score converges.
  void improve() {
    for (int cycle = 0; cycle < options_.max_cycles; ++cycle) {
      const double before = score_;
      for (int i = 0; i < features_.size(); ++i) move_coefficient(i);
      move_threshold();
      normalise_length();
      if (std::abs(score_ - before) <= options_.tolerance * std::abs(before)) break;
    }
  }

  // The best combination seen, or the last one.
  Split split() const { return features_.split(best_, best_score_); }

 private:
  // Best (delta, gamma) of v - delta (x_i + gamma) <= c, taken even if worse, as in the original.
  void move_coefficient(int i) {
    context_.supervisor.check();
    const double* x = features_.values(i);
    std::optional<LineOptimum> best;
    double best_gamma = 0.0;
    for (double gamma : options_.gammas) {
      step_direction(x, gamma);
      const auto found = along_step();
      context_.hyperplanes += 1;
      if (found && (!best || found->score > best->score)) {
        best = found;
        best_gamma = gamma;
      }
    }
    if (!best) return;
    std::vector<double> r(features_.size() + 1, 0.0);
    r[i] = -1.0;
    r.back() = -best_gamma;
    step_direction(x, best_gamma);
    plane_.move(r, R_.data(), best->alpha);
    score_ = best->score;
    remember();
  }

  // The original sorts the rows as if all crossed the plane in the same sense, and evaluates only
  // the position that this suggests.
  std::optional<LineOptimum> along_step() const {
    auto found = plane_.along(R_.data(), kAnyScore, options_.legacy_sweep);
    if (!found || !options_.legacy_sweep) return found;
    const auto score = score_of(features_.node(), plane_.child0(R_.data(), found->alpha));
    if (!score) return std::nullopt;
    found->score = *score;
    return found;
  }

  void step_direction(const double* x, double gamma) {
    for (std::size_t row = 0; row < R_.size(); ++row) R_[row] = -(x[row] + gamma);
  }

  void move_threshold() {
    const auto found = plane_.parallel();
    context_.hyperplanes += 1;
    if (!found) return;
    plane_.move(features_.size(), -found->alpha);
    score_ = found->score;
    remember();
  }

  // Keeps |w| = 1 and the sums free of drift.
  void normalise_length() {
    double squares = 0.0;
    for (int i = 0; i < features_.size(); ++i)
      squares += plane_.coefficients()[i] * plane_.coefficients()[i];
    plane_.divide_by(std::sqrt(squares));
  }

  void remember() {
    if (!best_.empty() && !options_.keep_last && !(score_ > best_score_)) return;
    best_ = plane_.coefficients();
    best_score_ = score_;
  }

  const PlaneFeatures& features_;
  const CartLCOptions& options_;
  const SearchContext& context_;
  MovingPlane plane_;
  std::vector<double> R_, best_;
  double score_ = 0.0, best_score_ = 0.0;
};

}  // namespace

// OC1's rule for small nodes; its program exempts the root.
bool CartLC::enough_rows(const Node& node, int depth) const {
  if (depth == 0 || options_.min_rows == 0) return true;
  const auto d = static_cast<std::size_t>(node.n_columns());
  return node.n_rows() >
         (options_.min_rows < 0 ? 2 * d : static_cast<std::size_t>(options_.min_rows));
}

std::optional<Split> CartLC::find(const NodePointer& node, const SearchContext& context) const {
  if (enough_rows(*node, context.depth)) node->columns().gather_numbers();
  const std::optional<Split> univariate = AxisParallel().find(node, context);
  if (!univariate || !enough_rows(*node, context.depth)) return univariate;
  const PlaneFeatures features = features_of(*node, options_);
  if (features.size() < 2) return univariate;
  Combination combination(features, options_, context);
  combination.start_at(*univariate);
  combination.improve();
  Split split = combination.split();
  if (options_.univariate && !(split.score > univariate->score)) return univariate;
  return split;
}

namespace {

const RegisteredSearch cart_lc_registered("CARTLC", [](Options& options) {
  return std::make_shared<CartLC>(CartLCOptions{
      options.flag("normalize"), options.flag("original_zero"), options.numbers("gammas"),
      options.count("max_cycles"), options.number("tolerance"), options.flag("univariate"),
      options.whole("min_rows", -1), options.flag("keep_last"), options.flag("legacy_sweep")});
});

}  // namespace

}  // namespace aslant
