// D. Heath, S. Kasif and S. Salzberg, Induction of Oblique Decision Trees, Proceedings of the 13th
// International Joint Conference on Artificial Intelligence, 1993.
//
// Features are scaled to [0, 1] at the node. The energy is minus the score of the criterion.

#include "search/sadt.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "line/moving_plane.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

PlaneFeatures features_of(const Node& node) {
  return PlaneFeatures(node, node.columns().varying(), [&](int j) {
    const double* x = node.column(j);
    const auto [low, high] = std::minmax_element(x, x + node.n_rows());
    return PlaneFeatures::Scale{*low, *high - *low};
  });
}

class Annealing {
 public:
  Annealing(const PlaneFeatures& features, const SadtOptions& options)
      : node_(features.node()),
        features_(features),
        d_(features.size()),
        options_(options),
        w_(d_ + 1, 1.0),
        trial_(node_.n_rows()) {
    w_[d_] = -1.0;  // the canonical plane, through the unit point of every axis
    features_.project(w_, V_);
    move_between_rows();
  }

  void run(Rng& rng, const SearchContext& context) {
    double score = evaluate(V_), temperature = options_.temperature;
    std::int64_t unproductive = 0, proposals = 0;
    std::vector<double> w = w_;
    while (unproductive < options_.patience && !separated_) {
      if (proposals++ % kStepsBetweenChecks == 0) {
        context.supervisor.check();
        features_.project(w_, V_);  // incremental sums drift
      }
      propose(rng, w);
      const double best_before = best_score_;
      const double trial_score = evaluate(trial_, &w);
      unproductive = best_score_ > best_before ? 0 : unproductive + 1;
      if (trial_score >= score || rng.uniform() < std::exp((trial_score - score) / temperature)) {
        w_ = w;
        V_.swap(trial_);
        score = trial_score;
      } else {
        w = w_;
      }
      temperature *= options_.cooling;
    }
    context.hyperplanes += proposals;
  }

  std::optional<Split> best() const {
    if (best_w_.empty()) return std::nullopt;
    return features_.split(best_w_, best_score_);
  }

 private:
  static constexpr std::int64_t kStepsBetweenChecks = 1000;

  // With many features all rows lie beyond the canonical plane, out of reach of small steps: shifts
  // it to the middle of the rows.
  void move_between_rows() {
    const auto [low, high] = std::minmax_element(V_.begin(), V_.end());
    if (*low <= 0.0 && *high > 0.0) return;
    w_[d_] -= *low + (*high - *low) / 2.0;
    features_.project(w_, V_);
  }

  // Perturbs w and writes its projections into trial_.
  void propose(Rng& rng, std::vector<double>& w) {
    if (options_.move_all) {
      for (double& coefficient : w) coefficient += rng.uniform(-options_.step, options_.step);
      features_.project(w, trial_);
      return;
    }
    const int m = rng.below(d_ + 1);
    const double step = rng.uniform(-options_.step, options_.step);
    w[m] += step;
    const double* x = features_.values(m);
    for (std::size_t i = 0; i < V_.size(); ++i) trial_[i] = V_[i] + step * x[i];
  }

  // Score of the partition, 0 if a child is too small; records a new best.
  double evaluate(const std::vector<double>& V, const std::vector<double>* w = nullptr) {
    count_part(node_.target(), [&V](std::size_t i) { return V[i] <= 0.0; }, child0_);
    const std::optional<double> score = score_of(node_, child0_);
    if (!score) return 0.0;
    if (best_w_.empty() || *score > best_score_ + 1e-12) {
      best_w_ = w ? *w : w_;
      best_score_ = *score;
      separated_ = node_.target().separates(child0_);
    }
    return *score;
  }

  const Node& node_;
  const PlaneFeatures& features_;
  const int d_;
  const SadtOptions& options_;
  std::vector<double> w_, V_, trial_, best_w_;
  Part child0_;
  double best_score_ = 0.0;
  bool separated_ = false;
};

}  // namespace

std::optional<Split> Sadt::find(const NodePointer& node, const SearchContext& context) const {
  const PlaneFeatures features = features_of(*node);
  if (features.size() == 0) return std::nullopt;
  Rng rng(subkey(context.key, 0));
  Annealing annealing(features, options_);
  annealing.run(rng, context);
  return annealing.best();
}

namespace {

const RegisteredSearch sadt_registered("SADT", [](Options& options) {
  return std::make_shared<Sadt>(SadtOptions{options.number("temperature"),
                                            options.number("cooling"), options.whole("patience"),
                                            options.flag("move_all"), options.number("step")});
});

}  // namespace

}  // namespace aslant
