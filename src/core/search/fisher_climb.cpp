// A start for trees that are fitted as a whole afterwards: the best of single features and of
// Fisher's discriminants between groups of classes, with few hyperplanes and no parameters to tune.
// Where few columns vary a coordinate climb goes on from there, but only a clear gain is taken.

#include "search/fisher_climb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "breakpoints.hpp"
#include "search/axis_parallel.hpp"
#include "search/class_groupings.hpp"

namespace aslant {

namespace {

constexpr double kSame = 1e-9;             // relative: scores this close are equal
constexpr int kRoundsOfSides = 4;          // regroupings by the sides of the best split
constexpr std::size_t kRowsPerColumn = 2;  // a climb needs more rows than this for each column

bool better(double score, double than) {
  return score > than + kSame * std::max(std::abs(score), std::abs(than));
}

// What no split of the node can exceed: its impurity, where the score is the decrease of it.
double highest_score(const Node& node) {
  const CriterionKind kind = node.criterion();
  if (kind != CriterionKind::entropy && kind != CriterionKind::gini)
    return std::numeric_limits<double>::infinity();
  return impurity(kind, node.class_weight().data(), node.n_classes());
}

// Tries the discriminant of one grouping after the other; each only once.
class Discriminants {
 public:
  Discriminants(const Node& node, const ClassGroupings& groupings, const SearchContext& context)
      : node_(node), groupings_(groupings), context_(context) {}

  void consider(Grouping grouping, std::optional<Split>& best) {
    const char first = grouping[groupings_.present().front()];
    for (char& side : grouping) side = side == first ? 0 : 1;  // the same two groups, named alike
    if (!tried_.insert(grouping).second) return;
    context_.supervisor.check();
    context_.hyperplanes += 1;
    const std::vector<double> direction = groupings_.direction(grouping);
    Split split;
    if (direction.empty() || !node_.best_along(direction, split)) return;
    if (!best || better(split.score, best->score)) best = std::move(split);
  }

 private:
  const Node& node_;
  const ClassGroupings& groupings_;
  const SearchContext& context_;
  std::set<Grouping> tried_;
};

// Moves one coefficient after the other to the best place on its line. Columns are counted from
// their means in units of their deviations, so a move turns the plane about the middle of the rows.
class Climb {
 public:
  Climb(const Node& node, const std::vector<int>& columns, const ClassGroupings& groupings,
        const SearchContext& context)
      : node_(node),
        columns_(columns),
        mean_(groupings.mean()),
        deviation_(groupings.deviation()),
        d_(columns.size()),
        context_(context),
        search_(node.line_search()),
        V_(node.n_rows()),
        R_(node.n_rows()) {
    for (std::size_t m = 0; m < d_; ++m) {
      const double* x = node.column(columns[m]);
      standard_.emplace_back(node.n_rows());
      for (std::size_t i = 0; i < node.n_rows(); ++i)
        standard_.back()[i] = (x[i] - mean_[m]) / deviation_[m];
    }
    standard_.emplace_back(node.n_rows(), 1.0);
  }

  void run(const Split& start, const FisherClimbOptions& options, Rng& rng) {
    a_.assign(d_ + 1, 0.0);
    a_[d_] = -start.offsets[0];
    for (std::size_t c = 0; c < start.columns.size(); ++c) {
      const auto place = std::find(columns_.begin(), columns_.end(), start.columns[c]);
      if (place == columns_.end()) continue;
      const std::size_t m = place - columns_.begin();
      a_[m] = start.coefs[c] * deviation_[m];
      a_[d_] += start.coefs[c] * mean_[m];
    }
    score_ = start.score;
    refresh();
    climb(options.cycles);
    for (int jump = 0; jump < options.jumps; ++jump)
      if (jumped(rng)) climb(options.cycles);
  }

  double score() const { return score_; }

  Split split() const {
    std::vector<double> coef(node_.n_columns(), 0.0);
    double threshold = -a_[d_];
    for (std::size_t m = 0; m < d_; ++m) {
      coef[columns_[m]] = a_[m] / deviation_[m];
      threshold += coef[columns_[m]] * mean_[m];
    }
    return scaled_hyperplane(std::move(coef), threshold, score_);
  }

 private:
  void climb(int cycles) {
    for (bool changed = true; changed && cycles-- > 0;) {
      changed = false;
      for (std::size_t m = 0; m <= d_; ++m) {
        const auto found = along(standard_[m].data());
        if (!found) continue;
        a_[m] += found->alpha;
        move(standard_[m].data(), *found);
        changed = true;
      }
      refresh();  // sums of many steps drift
    }
  }

  bool jumped(Rng& rng) {
    std::vector<double> r(d_ + 1);
    for (double& coefficient : r) coefficient = rng.uniform(-1.0, 1.0);
    project(r, R_);
    const auto found = along(R_.data());
    if (!found) return false;
    for (std::size_t m = 0; m <= d_; ++m) a_[m] += found->alpha * r[m];
    move(R_.data(), *found);
    return true;
  }

  // The best place on a line, if it is better than where the plane is.
  std::optional<LineOptimum> along(const double* R) {
    context_.supervisor.check();
    context_.hyperplanes += 1;
    auto found = search_.along(V_.data(), R, tolerance_, score_);
    if (found && !better(found->score, score_)) found.reset();
    return found;
  }

  void move(const double* R, const LineOptimum& found) {
    score_ = found.score;
    tolerance_ = Node::rounding(add_multiple(V_.size(), found.alpha, R, V_.data()));
  }

  void project(const std::vector<double>& a, std::vector<double>& out) const {
    std::fill(out.begin(), out.end(), a[d_]);
    for (std::size_t m = 0; m < d_; ++m)
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += a[m] * standard_[m][i];
  }

  void refresh() {
    double largest = 0.0;
    for (std::size_t m = 0; m < d_; ++m) largest = std::max(largest, std::abs(a_[m]));
    if (largest > 0.0)
      for (double& coefficient : a_) coefficient /= largest;
    project(a_, V_);
    tolerance_ = Node::rounding(V_);
  }

  const Node& node_;
  const std::vector<int>& columns_;
  const std::vector<double>&mean_, &deviation_;
  const std::size_t d_;
  const SearchContext& context_;
  LineSearch search_;
  std::vector<std::vector<double>> standard_;  // the last is the constant
  std::vector<double> a_, V_, R_;
  double score_ = 0.0, tolerance_ = 0.0;
};

}  // namespace

std::optional<Split> FisherClimb::find(const std::shared_ptr<const Node>& node,
                                       const SearchContext& context) const {
  const std::optional<Split> axis = AxisParallel().find(node, context.below(0));
  const std::vector<int> columns = node->varying_columns();
  if (columns.empty()) return axis;
  const ClassGroupings groupings(*node, columns);
  if (groupings.present().size() < 2) return axis;
  std::optional<Split> best = axis;
  Discriminants discriminants(*node, groupings, context);
  for (const Grouping& grouping : groupings.one_against_rest())
    discriminants.consider(grouping, best);
  if (groupings.present().size() > 2) {
    if (axis) discriminants.consider(groupings.by_side(*axis), best);
    discriminants.consider(groupings.by_two_means(), best);
    for (int round = 0; best && round < kRoundsOfSides; ++round)
      discriminants.consider(groupings.by_side(*best), best);
  }

  if (!best || static_cast<int>(columns.size()) > options_.max_columns ||
      node->n_rows() <= kRowsPerColumn * columns.size())
    return best;
  const double needed =
      best->score + options_.price * static_cast<double>(columns.size()) / node->total_weight();
  if (needed >= highest_score(*node)) return best;  // no climb could gain enough
  Climb climb(*node, columns, groupings, context);
  Rng rng(subkey(context.key, 1));
  std::optional<Split> climbed;
  const auto climb_from = [&](const Split& start) {
    climb.run(start, options_, rng);
    if (climb.score() > needed && (!climbed || better(climb.score(), climbed->score)))
      climbed = climb.split();
  };
  climb_from(*best);
  if (axis && axis->score != best->score) climb_from(*axis);
  return climbed ? climbed : best;
}

}  // namespace aslant
