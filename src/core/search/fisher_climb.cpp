// An initial tree for joint refinement: the best of single features and of Fisher's discriminants
// between groups of classes, with few hyperplanes and nothing to tune. With few varying columns a
// coordinate ascent follows; only a clear gain is accepted.

#include "search/fisher_climb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "line/moving_plane.hpp"
#include "search/axis_parallel.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

constexpr int kRoundsOfSides = 4;          // regroupings by the sides of the best split
constexpr std::size_t kRowsPerColumn = 2;  // a climb needs more rows per column

// Upper bound of the score: the node's impurity if the score is its decrease.
double highest_score(const Node& node) {
  const CriterionKind kind = node.criterion();
  if (!kind.is<Entropy>() && !kind.is<Gini>()) return std::numeric_limits<double>::infinity();
  return impurity(kind, node.target().class_weight().data(), node.target().n_classes());
}

// Tries the discriminant of each grouping once.
class Discriminants {
 public:
  Discriminants(const Node& node, const ClassGroupings& groupings, const SearchContext& context)
      : node_(node), groupings_(groupings), context_(context) {}

  void consider(Grouping grouping, std::optional<Split>& best) {
    const char first = grouping[groupings_.present().front()];
    for (char& side : grouping) side = side == first ? 0 : 1;  // canonical group names
    if (!tried_.insert(grouping).second) return;
    context_.supervisor.check();
    context_.hyperplanes += 1;
    const std::vector<double> direction = groupings_.direction(grouping);
    if (direction.empty()) return;
    std::optional<Split> split = node_.best_along(direction);
    if (split && (!best || better_score(split->score, best->score))) best = std::move(split);
  }

 private:
  const Node& node_;
  const ClassGroupings& groupings_;
  const SearchContext& context_;
  std::set<Grouping> tried_;
};

// Moves one coefficient at a time to its optimum.
class DiscriminantClimb {
 public:
  DiscriminantClimb(const PlaneFeatures& features, const FisherClimbOptions& options,
                    const SearchContext& context)
      : features_(features),
        options_(options),
        context_(context),
        plane_(features),
        R_(features.n_rows()) {}

  void run(const Split& start, Rng& rng) {
    plane_.set(features_.coefficients(start));
    score_ = start.score;
    climb();
    for (int jump = 0; jump < options_.jumps; ++jump)
      if (jumped(rng)) climb();
  }

  double score() const { return score_; }
  Split split() const { return plane_.split(score_); }

 private:
  void climb() {
    int cycles = options_.cycles;
    for (bool changed = true; changed && cycles-- > 0;) {
      changed = false;
      for (int m = 0; m <= features_.size(); ++m) {
        const auto found = along(features_.values(m));
        if (!found) continue;
        plane_.move(m, found->alpha);
        score_ = found->score;
        changed = true;
      }
    }
  }

  bool jumped(Rng& rng) {
    std::vector<double> r(features_.size() + 1);
    for (double& coefficient : r) coefficient = rng.uniform(-1.0, 1.0);
    features_.project(r, R_);
    const auto found = along(R_.data());
    if (!found) return false;
    plane_.move(r, R_.data(), found->alpha);
    score_ = found->score;
    return true;
  }

  // The optimum on a line if it improves the plane.
  std::optional<LineOptimum> along(const double* R) {
    context_.supervisor.check();
    context_.hyperplanes += 1;
    auto found = plane_.along(R, score_);
    if (found && !better_score(found->score, score_)) found.reset();
    return found;
  }

  const PlaneFeatures& features_;
  const FisherClimbOptions& options_;
  const SearchContext& context_;
  MovingPlane plane_;
  std::vector<double> R_;
  double score_ = 0.0;
};

}  // namespace

std::optional<Split> FisherClimb::start(const Node& node, const ClassGroupings& groupings,
                                        const std::optional<Split>& axis,
                                        const SearchContext& context) const {
  std::optional<Split> best = axis;
  Discriminants discriminants(node, groupings, context);
  for (const Grouping& grouping : one_against_rest(node.target()))
    discriminants.consider(grouping, best);
  if (groupings.present().size() < 3) return best;
  if (axis) discriminants.consider(groupings.by_side(*axis), best);
  discriminants.consider(groupings.by_two_means(), best);
  for (int round = 0; best && round < kRoundsOfSides; ++round)
    discriminants.consider(groupings.by_side(*best), best);
  return best;
}

std::optional<Split> FisherClimb::find(const NodePointer& node,
                                       const SearchContext& context) const {
  node->columns().gather_numbers();
  const std::optional<Split> axis = AxisParallel().find(node, context.below(0));
  const std::vector<int> columns = node->columns().varying();
  if (columns.empty() || node->target().classes_present() < 2) return axis;
  const ClassGroupings groupings(*node, columns);
  const std::optional<Split> best = start(*node, groupings, axis, context);
  if (!best || static_cast<int>(columns.size()) > options_.max_columns ||
      node->n_rows() <= kRowsPerColumn * columns.size())
    return best;
  const double total_penalty = options_.penalty * static_cast<double>(columns.size());
  const double needed = best->score + total_penalty / node->target().total_weight();
  if (needed >= highest_score(*node)) return best;  // no climb can gain enough

  const PlaneFeatures features(*node, columns, [&](int j) { return groupings.scale_of(j); });
  DiscriminantClimb climb(features, options_, context);
  Rng rng(subkey(context.key, 1));
  std::optional<Split> climbed;
  const auto climb_from = [&](const Split& from) {
    climb.run(from, rng);
    if (climb.score() > needed && (!climbed || better_score(climb.score(), climbed->score)))
      climbed = climb.split();
  };
  climb_from(*best);
  if (axis && axis->score != best->score) climb_from(*axis);
  return climbed ? climbed : best;
}

namespace {

const RegisteredSearch fisher_climb_registered("FisherClimb", [](Options& options) {
  return std::make_shared<FisherClimb>(
      FisherClimbOptions{options.count("max_columns"), options.count("cycles"),
                         options.count("jumps"), options.number("penalty")});
});

}  // namespace

}  // namespace aslant
