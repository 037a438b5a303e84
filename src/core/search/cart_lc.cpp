// L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees, 1984,
// chapter 5, as described by Murthy, Kasif and Salzberg (1994), figure 4, and by Brodley and Utgoff
// (1995), section 4.2.4. The figure's delta (a_i + gamma) is delta (x_i + gamma), and its
// c - delta gamma is c + delta gamma: both are misprints.

#include "search/cart_lc.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/axis_parallel.hpp"

namespace aslant {

namespace {

// x = scale * x' + centre, per column.
struct Unit {
  double centre = 0.0, scale = 1.0;
};

// (x - median) / interquartile range; without normalisation only the median is subtracted, so that
// the steps x_i + gamma do not depend on where the scale of a feature begins.
Unit unit_of(const Node& node, int column, bool normalize) {
  Unit unit{node.quantile(column, 0.5), 1.0};
  if (!normalize) return unit;
  unit.scale = node.quantile(column, 0.75) - node.quantile(column, 0.25);
  if (!(unit.scale > 0.0)) unit.scale = node.quantile(column, 1.0) - node.quantile(column, 0.0);
  return unit;
}

// The combination v = sum w_i x_i <= c while it is improved.
class Combination {
 public:
  Combination(const Node& node, std::vector<int> columns, const CartLCOptions& options,
              const SearchContext& context)
      : node_(node),
        columns_(std::move(columns)),
        options_(options),
        context_(context),
        search_(node.line_search()),
        units_(node.n_columns()),
        w_(node.n_columns(), 0.0),
        v_(node.n_rows()),
        R_(node.n_rows()) {
    for (int j : columns_) units_[j] = unit_of(node, j, options.normalize);
  }

  void start_at(const Split& split) {
    c_ = split.offsets[0];
    for (std::size_t i = 0; i < split.columns.size(); ++i) {
      const Unit& unit = units_[split.columns[i]];
      w_[split.columns[i]] = split.coefs[i] * unit.scale;
      c_ -= split.coefs[i] * unit.centre;
    }
    score_ = best_score_ = split.score;
    normalise_length();
    remember();
  }

  // Figure 4: cycles over the features until the score settles.
  void improve() {
    for (int cycle = 0; cycle < options_.max_cycles; ++cycle) {
      const double before = score_;
      for (int i : columns_) move_coefficient(i);
      move_threshold();
      normalise_length();
      if (std::abs(score_ - before) <= options_.tolerance * std::abs(before)) break;
    }
    restore_best();
  }

  Split split() const {
    std::vector<double> coef(w_.size(), 0.0);
    double threshold = c_;
    for (std::size_t j = 0; j < w_.size(); ++j) {
      if (w_[j] == 0.0) continue;
      coef[j] = w_[j] / units_[j].scale;
      threshold += coef[j] * units_[j].centre;
    }
    return scaled_hyperplane(std::move(coef), threshold, score_);
  }

 private:
  double value(int column, std::size_t row) const {
    return (node_.column(column)[row] - units_[column].centre) / units_[column].scale;
  }

  // Best (delta, gamma) of v - delta (x_i + gamma) <= c. It is taken even if it is a step back, as
  // in the original; the best combination seen is the one that counts in the end.
  void move_coefficient(int i) {
    context_.supervisor.check();
    std::vector<double> V(v_);
    for (double& value : V) value -= c_;
    const double tolerance = Node::rounding(V);
    std::optional<LineOptimum> best;
    double best_gamma = 0.0;
    for (double gamma : options_.gammas) {
      for (std::size_t row = 0; row < R_.size(); ++row) R_[row] = -(value(i, row) + gamma);
      const auto found = search_.along(V.data(), R_.data(), tolerance);
      context_.hyperplanes += 1;
      if (found && (!best || found->score > best->score)) {
        best = found;
        best_gamma = gamma;
      }
    }
    if (!best) return;
    w_[i] -= best->alpha;
    c_ += best->alpha * best_gamma;
    score_ = best->score;
    for (std::size_t row = 0; row < v_.size(); ++row) v_[row] -= best->alpha * value(i, row);
    remember();
  }

  void move_threshold() {
    const auto found = search_.threshold(v_.data(), Node::rounding(v_));
    context_.hyperplanes += 1;
    if (!found) return;
    c_ = found->alpha;
    score_ = found->score;
    remember();
  }

  // Keeps |w| = 1, and the sums free of drift.
  void normalise_length() {
    double squares = 0.0;
    for (double w : w_) squares += w * w;
    const double length = std::sqrt(squares);
    if (length > 0.0 && std::isfinite(length)) {
      for (double& w : w_) w /= length;
      c_ /= length;
    }
    refresh();
  }

  void refresh() {
    std::fill(v_.begin(), v_.end(), 0.0);
    for (int j : columns_)
      if (w_[j] != 0.0)
        for (std::size_t row = 0; row < v_.size(); ++row) v_[row] += w_[j] * value(j, row);
  }

  void remember() {
    if (!best_w_.empty() && !(score_ > best_score_)) return;
    best_w_ = w_;
    best_c_ = c_;
    best_score_ = score_;
  }

  void restore_best() {
    w_ = best_w_;
    c_ = best_c_;
    score_ = best_score_;
    refresh();
  }

  const Node& node_;
  std::vector<int> columns_;
  const CartLCOptions& options_;
  const SearchContext& context_;
  LineSearch search_;
  std::vector<Unit> units_;
  std::vector<double> w_, v_, R_, best_w_;
  double c_ = 0.0, score_ = 0.0, best_c_ = 0.0, best_score_ = 0.0;
};

}  // namespace

std::optional<Split> CartLC::find(const std::shared_ptr<const Node>& node,
                                  const SearchContext& context) const {
  const std::optional<Split> univariate = AxisParallel().find(node, context);
  if (!univariate) return univariate;
  const std::vector<int> columns = node->varying_columns();
  if (columns.size() < 2) return univariate;
  Combination combination(*node, columns, options_, context);
  combination.start_at(*univariate);
  combination.improve();
  Split split = combination.split();
  if (options_.univariate && !(split.score > univariate->score)) return univariate;
  return split;
}

}  // namespace aslant
