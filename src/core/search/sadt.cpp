// D. Heath, S. Kasif and S. Salzberg, Induction of Oblique Decision Trees, Proceedings of the 13th
// International Joint Conference on Artificial Intelligence, 1993.
//
// Features are scaled to [0, 1] at the node. The energy is minus the score of the criterion.

#include "search/sadt.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace aslant {

namespace {

class Annealing {
 public:
  Annealing(const Node& node, const std::vector<int>& columns, const SadtOptions& options)
      : node_(node),
        columns_(columns),
        d_(static_cast<int>(columns.size())),
        options_(options),
        X_(columns.size() * node.n_rows()),
        w_(d_ + 1, 1.0),
        V_(node.n_rows()),
        trial_(node.n_rows()) {
    for (int m = 0; m < d_; ++m) {
      const double* x = node.column(columns[m]);
      const auto [low, high] = std::minmax_element(x, x + node.n_rows());
      lowest_.push_back(*low);
      range_.push_back(*high - *low);
      for (std::size_t i = 0; i < node.n_rows(); ++i)
        X_[m * node.n_rows() + i] = (x[i] - *low) / range_[m];
    }
    w_[d_] = -1.0;  // the canonical plane, through the unit point of every axis
    project(w_, V_);
    move_between_rows();
  }

  void run(Rng& rng, const SearchContext& context) {
    double score = evaluate(V_), temperature = options_.temperature;
    std::int64_t unproductive = 0, proposals = 0;
    std::vector<double> w = w_;
    while (unproductive < options_.patience && !separated_) {
      if (proposals++ % kStepsBetweenChecks == 0) {
        context.supervisor.check();
        project(w_, V_);  // sums of many steps drift
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
    std::vector<double> coef(node_.n_columns(), 0.0);
    double threshold = -best_w_[d_];
    for (int m = 0; m < d_; ++m) {
      coef[columns_[m]] = best_w_[m] / range_[m];
      threshold += coef[columns_[m]] * lowest_[m];
    }
    return scaled_hyperplane(std::move(coef), threshold, best_score_);
  }

 private:
  static constexpr std::int64_t kStepsBetweenChecks = 1000;

  // With many features all rows lie beyond the canonical plane, out of reach of small steps; then
  // it is moved parallel to itself to the middle of the rows.
  void move_between_rows() {
    const auto [low, high] = std::minmax_element(V_.begin(), V_.end());
    if (*low <= 0.0 && *high > 0.0) return;
    w_[d_] -= *low + (*high - *low) / 2.0;
    project(w_, V_);
  }

  const double* column(int m) const { return &X_[m * node_.n_rows()]; }

  void project(const std::vector<double>& w, std::vector<double>& out) const {
    std::fill(out.begin(), out.end(), w[d_]);
    for (int m = 0; m < d_; ++m) add(w[m], column(m), out);
  }

  static void add(double factor, const double* x, std::vector<double>& out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += factor * x[i];
  }

  // Perturbs w, and puts its projections into trial_.
  void propose(Rng& rng, std::vector<double>& w) {
    if (options_.move_all) {
      for (double& coefficient : w) coefficient += rng.uniform(-options_.step, options_.step);
      project(w, trial_);
      return;
    }
    const int m = rng.below(d_ + 1);
    const double step = rng.uniform(-options_.step, options_.step);
    w[m] += step;
    const double* x = m < d_ ? column(m) : nullptr;
    for (std::size_t i = 0; i < V_.size(); ++i) trial_[i] = V_[i] + (x ? step * x[i] : step);
  }

  // Score of the partition, 0 if it has a child that is too small; a new best is kept.
  double evaluate(const std::vector<double>& V, const std::vector<double>* w = nullptr) {
    child0_.assign(node_.n_classes(), 0.0);
    std::int64_t rows0 = 0;
    for (std::size_t i = 0; i < V.size(); ++i) {
      const double inside = V[i] <= 0.0 ? 1.0 : 0.0;
      child0_[node_.label()[i]] += node_.weight().empty() ? inside : inside * node_.weight()[i];
      rows0 += V[i] <= 0.0;
    }
    const std::optional<double> score = node_.score(child0_, rows0);
    if (!score) return 0.0;
    if (best_w_.empty() || *score > best_score_ + 1e-12) {
      best_w_ = w ? *w : w_;
      best_score_ = *score;
      separated_ = separates();
    }
    return *score;
  }

  bool separates() const {
    int classes0 = 0, classes1 = 0;
    for (int k = 0; k < node_.n_classes(); ++k) {
      classes0 += child0_[k] > 0.0;
      classes1 += node_.class_weight()[k] - child0_[k] > 0.0;
    }
    return classes0 == 1 && classes1 == 1;
  }

  const Node& node_;
  const std::vector<int>& columns_;
  const int d_;
  const SadtOptions& options_;
  std::vector<double> X_, lowest_, range_, w_, V_, trial_, child0_, best_w_;
  double best_score_ = 0.0;
  bool separated_ = false;
};

}  // namespace

std::optional<Split> Sadt::find(const std::shared_ptr<const Node>& node,
                                const SearchContext& context) const {
  const std::vector<int> columns = node->varying_columns();
  if (columns.empty()) return std::nullopt;
  Rng rng(subkey(context.key, 0));
  Annealing annealing(*node, columns, options_);
  annealing.run(rng, context);
  return annealing.best();
}

}  // namespace aslant
