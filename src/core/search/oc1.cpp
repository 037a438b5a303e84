// S. K. Murthy, S. Kasif and S. Salzberg, A System for Induction of Oblique Decision Trees,
// Journal of Artificial Intelligence Research 2:1-32, 1994.
//
// A hyperplane is V(x) = a_1 x_1 + ... + a_d x_d + a_(d+1), child 0 where V <= 0. All moves, of one
// coefficient (section 3.1) and in a random direction (section 3.2), are line searches.

#include "search/oc1.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "breakpoints.hpp"
#include "search/axis_parallel.hpp"

namespace aslant {

namespace {

constexpr double kSame = 1e-9;  // relative: scores this close are equal
constexpr int kMovesBetweenRefresh = 50;
constexpr double kNoScore = -1e300;  // of a plane with all rows on one side

bool better(double score, double than) {
  return score > than + kSame * std::max(std::abs(score), std::abs(than));
}

// The features of a node as the climbs see them, made once for all of them.
//
// Features are counted from their median at the node: a coefficient that moves turns the plane
// about the middle of the rows, wherever the scale of the feature begins. The original counts from
// zero, or from the lowest value if that is negative, since its sweep needs features that are not.
struct Features {
  Features(const Node& node, const OC1Options& options) : columns(node.varying_columns()) {
    const bool original = options.legacy_sweep || options.origin == OC1Options::Origin::original;
    for (int j : columns) {
      const double from = original ? std::min(0.0, node.quantile(j, 0.0)) : node.quantile(j, 0.5);
      const double* x = node.column(j);
      origin.push_back(from);
      counted.emplace_back(node.n_rows());
      for (std::size_t i = 0; i < node.n_rows(); ++i) counted.back()[i] = x[i] - from;
    }
    counted.emplace_back(node.n_rows(), 1.0);
  }

  int size() const { return static_cast<int>(columns.size()); }

  std::vector<int> columns;
  std::vector<double> origin;
  std::vector<std::vector<double>> counted;  // from the origin; the constant is a feature of ones
};

std::vector<double> deviations(const Node& node, const std::vector<int>& columns) {
  std::vector<double> result;
  for (int j : columns) {
    const double* x = node.column(j);
    double mean = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < node.n_rows(); ++i) mean += node.weight_of(i) * x[i];
    mean /= node.total_weight();
    for (std::size_t i = 0; i < node.n_rows(); ++i)
      squares += node.weight_of(i) * (x[i] - mean) * (x[i] - mean);
    result.push_back(std::sqrt(squares / node.total_weight()));
  }
  return result;
}

// One climb from one starting point.
class Climb {
 public:
  Climb(const Node& node, const Features& features, const OC1Options& options,
        const SearchContext& context, std::uint64_t stream)
      : node_(node),
        features_(features),
        columns_(features.columns),
        origin_(features.origin),
        d_(features.size()),
        options_(options),
        context_(context),
        rng_(subkey(context.key, stream)),
        search_(node.line_search()),
        a_(d_ + 1, 0.0),
        V_(node.n_rows()),
        R_(node.n_rows()),
        tried_(d_ + 1) {}

  void start_at(const Split& split) {
    for (std::size_t c = 0; c < split.columns.size(); ++c) {
      const auto place = std::find(columns_.begin(), columns_.end(), split.columns[c]);
      a_[place - columns_.begin()] = split.coefs[c];
    }
    a_[d_] = -split.offsets[0];
    refresh();
    score_ = split.score;
  }

  // Section 3: every coefficient uniform in [-1, 1].
  void start_anywhere() {
    a_ = random_vector();
    refresh();
    score_ = score_of_plane();
  }

  // A direction uniform in units of standard deviations, through a row of the node.
  void start_through_point(const std::vector<double>& deviation) {
    for (int m = 0; m < d_; ++m) a_[m] = rng_.uniform(-1.0, 1.0) / deviation[m];
    double mass = rng_.uniform() * node_.total_weight();
    std::size_t row = 0;
    while (row + 1 < node_.n_rows() && (mass -= node_.weight_of(row)) >= 0.0) ++row;
    for (int m = 0; m < d_; ++m) a_[d_] -= a_[m] * node_.column(columns_[m])[row];
    refresh();
    score_ = score_of_plane();
  }

  // Figure 3, steps 1 and 2.
  void run() {
    climb();
    for (int failures = 0; failures < options_.jumps;) {
      if (jump()) {
        climb();
        failures = 0;
      } else {
        ++failures;
      }
    }
    context_.hyperplanes += proposals_;
  }

  double score() const { return score_; }

  Split split() const {
    std::vector<double> coef(node_.n_columns(), 0.0);
    for (int m = 0; m < d_; ++m) coef[columns_[m]] = a_[m];
    return scaled_hyperplane(std::move(coef), -a_[d_], score_);
  }

  // Both children of one class each: nothing can be better.
  bool separates() const {
    int seen[2] = {-1, -1};
    for (std::size_t i = 0; i < V_.size(); ++i) {
      int& first = seen[V_[i] <= 0.0 ? 0 : 1];
      if (first < 0) first = node_.label()[i];
      if (first != node_.label()[i]) return false;
    }
    return seen[0] >= 0 && seen[1] >= 0;
  }

 private:
  // Coefficients uniform in [-1, 1] of the features counted from their origins.
  std::vector<double> random_vector() {
    std::vector<double> r(d_ + 1);
    for (double& coefficient : r) coefficient = rng_.uniform(-1.0, 1.0);
    for (int m = 0; m < d_; ++m) r[d_] -= r[m] * origin_[m];
    return r;
  }

  void climb() {
    switch (options_.order) {
      case OC1Options::Order::sequential:
        while (sequential_cycle()) {
        }
        break;
      case OC1Options::Order::best:
        while (best_move()) {
        }
        break;
      case OC1Options::Order::random:
        for (int i = 0; i < options_.random_moves; ++i) try_move(rng_.below(d_ + 1));
        break;
    }
  }

  int n_coefficients() const { return d_ + (options_.perturb_constant ? 1 : 0); }

  bool sequential_cycle() {
    bool changed = false;
    for (int m = 0; m < n_coefficients(); ++m) changed = try_move(m) || changed;
    return changed;
  }

  bool best_move() {
    int best = -1;
    LineOptimum optimum{0.0, kNoScore};
    for (int m = 0; m < n_coefficients(); ++m) {
      const auto& found = along_coefficient(m);
      if (found && (best < 0 || found->score > optimum.score)) {
        best = m;
        optimum = *found;
      }
    }
    return best >= 0 && accept(best, optimum);
  }

  bool try_move(int m) {
    const auto& found = along_coefficient(m);
    return found && accept(m, *found);
  }

  // Where the best plane lies when only coefficient m moves: R is the m-th feature. If no row has
  // moved since it was tried last, the answer is the same.
  const std::optional<LineOptimum>& along_coefficient(int m) {
    context_.supervisor.check();
    ++proposals_;
    Trial& trial = tried_[m];
    if (trial.moves != moves_) trial = {moves_, along(features_.counted[m].data())};
    return trial.found;
  }

  std::optional<LineOptimum> along(const double* R) {
    if (!options_.legacy_sweep)
      return search_.along(V_.data(), R, tolerance_, score_ - kSame * std::abs(score_));
    auto found = search_.along(V_.data(), R, tolerance_, LineSearch::kAnyScore, true);
    if (found) found->score = score_on_line(R, found->alpha);
    return found;
  }

  // An improvement is always taken; an idle move with a chance that falls from one to the next.
  bool accept(int m, const LineOptimum& found) {
    if (better(found.score, score_)) {
      idle_moves_ = 0;
    } else if (better(score_, found.score) || !idle_move_allowed()) {
      return false;
    }
    a_[m] += found.alpha;
    if (m < d_) a_[d_] -= found.alpha * origin_[m];
    move_rows(features_.counted[m].data(), found);
    return true;
  }

  // Only idle moves that are made lower the chance of the next (the paper's footnote on
  // stagnation).
  bool idle_move_allowed() {
    const double chance = 1.0 - options_.stagnation_step * idle_moves_;
    const bool allowed = options_.stagnation == OC1Options::Stagnation::counter
                             ? chance > -1e-9
                             : rng_.uniform() < chance;
    if (allowed) ++idle_moves_;
    return allowed;
  }

  // A random direction in coefficient space, taken only if it strictly improves (section 3.2).
  bool jump() {
    context_.supervisor.check();
    ++proposals_;
    const std::vector<double> r = random_vector();
    project(r, R_);
    const auto found = along(R_.data());
    if (!found || !better(found->score, score_)) return false;
    for (int m = 0; m <= d_; ++m) a_[m] += found->alpha * r[m];
    move_rows(R_.data(), *found);
    idle_moves_ = 0;
    return true;
  }

  void move_rows(const double* R, const LineOptimum& found) {
    score_ = std::max(score_, found.score);  // idle moves must not lower what counts as progress
    if (++moves_ % kMovesBetweenRefresh == 0) {
      refresh();  // sums of many steps drift
      return;
    }
    tolerance_ = Node::rounding(add_multiple(V_.size(), found.alpha, R, V_.data()));
  }

  void project(const std::vector<double>& a, std::vector<double>& out) const {
    std::fill(out.begin(), out.end(), a[d_]);
    for (int m = 0; m < d_; ++m) {
      const double* x = node_.column(columns_[m]);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += a[m] * x[i];
    }
  }

  void refresh() {
    double largest = 0.0;
    for (int m = 0; m < d_; ++m) largest = std::max(largest, std::abs(a_[m]));
    if (largest > 0.0)
      for (double& coefficient : a_) coefficient /= largest;
    project(a_, V_);
    tolerance_ = Node::rounding(V_);
  }

  double score_of_plane() const { return score_on_line(V_.data(), 0.0); }

  // Score of the partition V + alpha R <= 0.
  double score_on_line(const double* R, double alpha) const {
    std::vector<double> child0(node_.n_classes(), 0.0);
    std::int64_t rows0 = 0;
    for (std::size_t i = 0; i < V_.size(); ++i)
      if (V_[i] + alpha * R[i] <= 0.0) {
        child0[node_.label()[i]] += node_.weight_of(i);
        ++rows0;
      }
    return node_.score(child0, rows0).value_or(kNoScore);
  }

  struct Trial {
    int moves = -1;  // that had been made
    std::optional<LineOptimum> found;
  };

  const Node& node_;
  const Features& features_;
  const std::vector<int>& columns_;
  const std::vector<double>& origin_;
  const int d_;
  const OC1Options& options_;
  const SearchContext& context_;
  Rng rng_;
  LineSearch search_;
  std::vector<double> a_, V_, R_;
  std::vector<Trial> tried_;  // by coefficient
  double score_ = kNoScore, tolerance_ = 0.0;
  int idle_moves_ = 0, moves_ = 0;
  std::int64_t proposals_ = 0;
};

}  // namespace

std::optional<Split> OC1::best_oblique(const std::shared_ptr<const Node>& node,
                                       const std::optional<Split>& axis,
                                       const SearchContext& context) const {
  const Features features(*node, options_);
  const bool through_point = options_.start == OC1Options::Start::through_point;
  const std::vector<double> deviation =
      through_point ? deviations(*node, features.columns) : std::vector<double>();
  std::vector<std::optional<Split>> found(options_.restarts);
  std::atomic<int> first_perfect{options_.restarts};
  const auto restart = [&](int r) {
    if (r > first_perfect) return;
    Climb climb(*node, features, options_, context, static_cast<std::uint64_t>(r));
    if (r == 0 && axis)
      climb.start_at(*axis);
    else if (through_point)
      climb.start_through_point(deviation);
    else
      climb.start_anywhere();
    climb.run();
    if (climb.score() > kNoScore) found[r] = climb.split();
    if (climb.separates())
      for (int seen = first_perfect; r < seen && !first_perfect.compare_exchange_weak(seen, r);) {
      }
  };
  if (node->n_rows() * features.columns.size() * options_.restarts >= kWorthSharing) {
    context.pool.for_each(options_.restarts, restart);
  } else {
    for (int r = 0; r < options_.restarts; ++r) restart(r);
  }

  // Equal results replace each other with probability 1/2, in the order of the restarts; the first
  // one that separates the classes ends the search, whatever later ones found.
  Rng coin(subkey(context.key, static_cast<std::uint64_t>(options_.restarts)));
  std::optional<Split> best;
  for (int r = 0; r < options_.restarts && r <= first_perfect; ++r) {
    if (!found[r]) continue;
    const bool tie =
        best && !better(found[r]->score, best->score) && !better(best->score, found[r]->score);
    if (!best || better(found[r]->score, best->score) || (tie && coin.uniform() < 0.5))
      best = found[r];
  }
  return best;
}

std::optional<Split> OC1::find(const std::shared_ptr<const Node>& node,
                               const SearchContext& context) const {
  std::optional<Split> axis;
  if (options_.axis_start)
    axis =
        AxisParallel().find(node, context.below(static_cast<std::uint64_t>(options_.restarts) + 1));
  const auto limit = static_cast<std::size_t>(
      options_.min_rows >= 0 ? options_.min_rows
                             : 2 * static_cast<std::int64_t>(node->varying_columns().size()));
  if (node->distinct_rows(limit + 1) <= limit)
    return axis ? axis : AxisParallel().find(node, context);

  const std::optional<Split> oblique = best_oblique(node, axis, context);
  if (!axis || (oblique && oblique->score > options_.axis_bias * axis->score)) return oblique;
  return axis;
}

}  // namespace aslant
