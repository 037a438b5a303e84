// S. K. Murthy, S. Kasif and S. Salzberg, A System for Induction of Oblique Decision Trees,
// Journal of Artificial Intelligence Research 2:1-32, 1994.
//
// A hyperplane is V(x) = a_1 x_1 + ... + a_d x_d + a_(d+1), child 0 where V <= 0. All moves, of one
// coefficient (section 3.1) and in a random direction (section 3.2), are line searches.

#include "search/oc1.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "line/moving_plane.hpp"
#include "node/moments.hpp"
#include "search/axis_parallel.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

constexpr double kNoScore = -1e300;  // of a plane with all rows on one side

// Features are measured from their node median, so a moving coefficient turns the plane about the
// center of the rows. The original's sweep needs nonnegative features: it uses zero, or
// the minimum if negative.
PlaneFeatures features_of(const Node& node, const OC1Options& options) {
  const bool original = options.legacy_sweep || options.origin == OC1Options::Origin::original;
  return PlaneFeatures(
      node, node.columns().varying(),
      [&](int j) {
        const double origin =
            original ? std::min(0.0, quantile(node, j, 0.0)) : quantile(node, j, 0.5);
        return PlaneFeatures::Scale{origin, 1.0};
      },
      options.legacy_sweep ? PlaneFeatures::Keep::all_rows : PlaneFeatures::Keep::few_rows);
}

// One climb from one starting point.
class Climb {
 public:
  Climb(const PlaneFeatures& features, const OC1Options& options, const SearchContext& context,
        std::uint64_t stream)
      : node_(features.node()),
        features_(features),
        d_(features.size()),
        options_(options),
        context_(context),
        rng_(subkey(context.key, stream)),
        plane_(features),
        R_(features.n_rows()),
        tried_(d_ + 1) {}

  void start_at(const Split& split) {
    plane_.set(features_.coefficients(split));
    score_ = split.score;
  }

  // Section 3: coefficients uniform in [-1, 1].
  void start_anywhere() {
    plane_.set(random_vector());
    score_ = score_of(node_, plane_.child0()).value_or(kNoScore);
  }

  // A random direction in units of standard deviations, through a row of the node.
  void start_through_point(const std::vector<double>& deviation) {
    std::vector<double> a(d_ + 1, 0.0);
    for (int m = 0; m < d_; ++m) a[m] = rng_.uniform(-1.0, 1.0) / deviation[m];
    double mass = rng_.uniform() * node_.target().total_weight();
    std::size_t row = 0;
    while (row + 1 < node_.n_rows() && (mass -= node_.weight_of(row)) >= 0.0) ++row;
    for (int m = 0; m < d_; ++m) a[d_] -= a[m] * features_.value(m, row);
    plane_.set(std::move(a));
    score_ = score_of(node_, plane_.child0()).value_or(kNoScore);
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
  Split split() const { return plane_.split(score_); }
  bool separates_classes() const { return node_.target().separates(plane_.child0()); }

 private:
  std::vector<double> random_vector() {
    std::vector<double> r(d_ + 1);
    for (double& coefficient : r) coefficient = rng_.uniform(-1.0, 1.0);
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

  // The optimum if only coefficient m moves: R is the m-th feature. Cached until the next move.
  const std::optional<LineOptimum>& along_coefficient(int m) {
    context_.supervisor.check();
    Trial& trial = tried_[m];
    if (trial.moves != moves_) {
      const bool legacy = options_.legacy_sweep;
      trial = {moves_, legacy ? along(features_.values(m)) : plane_.along(m, floor())};
    }
    if (!trial.found || !too_short(*trial.found)) ++proposals_;
    return trial.found;
  }

  // Whether the move barely changes the hyperplane.
  bool too_short(const LineOptimum& found) const {
    return options_.min_step > 0.0 && std::abs(found.alpha) <= options_.min_step;
  }

  double floor() const { return score_ - kSameScore * std::abs(score_); }

  std::optional<LineOptimum> along(const double* R) {
    if (!options_.legacy_sweep) return plane_.along(R, floor());
    auto found = plane_.along(R, kAnyScore, true);
    if (found) found->score = score_of(node_, plane_.child0(R, found->alpha)).value_or(kNoScore);
    return found;
  }

  // Improvements are always accepted, idle moves with decreasing probability.
  bool accept(int m, const LineOptimum& found) {
    if (too_short(found)) return false;
    if (better_score(found.score, score_)) {
      idle_moves_ = 0;
    } else if (better_score(score_, found.score) || !idle_move_allowed()) {
      return false;
    }
    plane_.move(m, found.alpha);
    moved(found.score);
    return true;
  }

  // Only accepted idle moves lower the probability (the paper's footnote on stagnation).
  bool idle_move_allowed() {
    const double chance = 1.0 - options_.stagnation_step * idle_moves_;
    const bool allowed = options_.stagnation == OC1Options::Stagnation::counter
                             ? chance > -1e-9
                             : rng_.uniform() < chance;
    if (allowed) ++idle_moves_;
    return allowed;
  }

  // A random direction in coefficient space, accepted only if it strictly improves (section 3.2).
  bool jump() {
    context_.supervisor.check();
    ++proposals_;
    const std::vector<double> r = random_vector();
    features_.project(r, R_);
    const auto found = along(R_.data());
    if (!found || !better_score(found->score, score_)) return false;
    plane_.move(r, R_.data(), found->alpha);
    moved(found->score);
    idle_moves_ = 0;
    return true;
  }

  void moved(double score) {
    score_ = std::max(score_, score);  // idle moves must not lower it
    ++moves_;
  }

  struct Trial {
    int moves = -1;  // made before this trial
    std::optional<LineOptimum> found;
  };

  const Node& node_;
  const PlaneFeatures& features_;
  const int d_;
  const OC1Options& options_;
  const SearchContext& context_;
  Rng rng_;
  MovingPlane plane_;
  std::vector<double> R_;
  std::vector<Trial> tried_;  // by coefficient
  double score_ = kNoScore;
  int idle_moves_ = 0, moves_ = 0;
  std::int64_t proposals_ = 0;
};

}  // namespace

std::optional<Split> OC1::best_oblique(const NodePointer& node, const std::optional<Split>& axis,
                                       const SearchContext& context) const {
  const PlaneFeatures features = features_of(*node, options_);
  const bool through_point = options_.start == OC1Options::Start::through_point;
  std::vector<double> deviation;
  if (through_point)
    for (int j : features.columns()) deviation.push_back(spread(*node, j).deviation);
  std::vector<std::optional<Split>> found(options_.restarts);
  std::atomic<int> first_perfect{options_.restarts};
  const auto restart = [&](int r) {
    if (r > first_perfect) return;
    Climb climb(features, options_, context, static_cast<std::uint64_t>(r));
    if (r == 0 && axis)
      climb.start_at(*axis);
    else if (through_point)
      climb.start_through_point(deviation);
    else
      climb.start_anywhere();
    climb.run();
    if (climb.score() > kNoScore) found[r] = climb.split();
    if (climb.separates_classes())
      for (int seen = first_perfect; r < seen && !first_perfect.compare_exchange_weak(seen, r);) {
      }
  };
  context.share(options_.restarts, node->n_rows() * features.columns().size() * options_.restarts,
                restart);

  // Ties replace each other with probability 1/2, in the order of the restarts; the first restart
  // that separates the classes wins over all later ones.
  Rng coin(subkey(context.key, static_cast<std::uint64_t>(options_.restarts)));
  std::optional<Split> best;
  for (int r = 0; r < options_.restarts && r <= first_perfect; ++r) {
    if (!found[r]) continue;
    const bool tie = best && !better_score(found[r]->score, best->score) &&
                     !better_score(best->score, found[r]->score);
    if (!best || better_score(found[r]->score, best->score) || (tie && coin.uniform() < 0.5))
      best = found[r];
  }
  return best;
}

// Section 2.3: few rows do not determine an oblique split.
bool OC1::enough_rows(const Node& node) const {
  const std::size_t d = options_.count_distinct ? node.columns().varying().size()
                                                : static_cast<std::size_t>(node.n_columns());
  const std::size_t limit =
      options_.min_rows >= 0 ? static_cast<std::size_t>(options_.min_rows) : 2 * d;
  if (!options_.count_distinct) return node.n_rows() > limit;
  return distinct_rows(node, limit + 1) > limit;
}

std::optional<Split> OC1::find(const NodePointer& node, const SearchContext& context) const {
  std::optional<Split> axis;
  node->columns().gather_numbers();
  if (options_.axis_start)
    axis =
        AxisParallel().find(node, context.below(static_cast<std::uint64_t>(options_.restarts) + 1));
  if (axis && options_.axis_bias >= 1.0 &&
      node->target().separates(children_of(*node, *axis).front()))
    return axis;  // nothing can be better
  if (!enough_rows(*node)) return axis ? axis : AxisParallel().find(node, context);

  const std::optional<Split> oblique = best_oblique(node, axis, context);
  if (!axis || (oblique && oblique->score > options_.axis_bias * axis->score)) return oblique;
  return axis;
}

namespace {

const RegisteredSearch oc1_registered("OC1", [](Options& options) {
  using Order = OC1Options::Order;
  using Stagnation = OC1Options::Stagnation;
  using Start = OC1Options::Start;
  using Origin = OC1Options::Origin;
  return std::make_shared<OC1>(OC1Options{
      options.count("restarts", 1), options.count("jumps"),
      options.choice<Order>(
          "order",
          {{"sequential", Order::sequential}, {"best", Order::best}, {"random", Order::random}}),
      options.count("random_moves", 1),
      options.choice<Stagnation>("stagnation", {{"probability", Stagnation::probability},
                                                {"counter", Stagnation::counter}}),
      options.number("stagnation_step"), options.whole("min_rows", -1),
      options.flag("count_distinct"), options.number("axis_bias"), options.flag("axis_start"),
      options.flag("perturb_constant"),
      options.choice<Start>(
          "start", {{"faithful", Start::faithful}, {"through_point", Start::through_point}}),
      options.choice<Origin>("origin",
                             {{"median", Origin::median}, {"original", Origin::original}}),
      options.flag("legacy_sweep"), options.number("min_step")});
});

}  // namespace

}  // namespace aslant
