// C. E. Brodley and P. E. Utgoff, Multivariate Decision Trees, Machine Learning 19:45-77, 1995,
// section 3.3 and table 1, after M. Frean, Small nets and short paths, 1990. Large errors get
// decreasing attention (k < beta), and beta falls whenever the weights shrink after having grown.
// The table's "a beta b" is a beta - b.

#include "learn/thermal.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "support/registry.hpp"

namespace aslant {

namespace {

constexpr double kRounding = 1e-12;
constexpr int kMostPasses = 100000;  // annealing ends sooner: about 1600 steps with the defaults

// |LM|, the sum of the lengths of the weight vectors, updated incrementally:
// |W + c Y|^2 = |W|^2 + 2 c W.Y + c^2 Y.Y.
class Magnitude {
 public:
  explicit Magnitude(int n_targets) : squared_(n_targets, 0.0) {}
  void move(int target, double c, double output, double squared_row) {
    double& squared = squared_[target];
    sum_ -= std::sqrt(squared);
    squared = std::max(0.0, squared + 2.0 * c * output + c * c * squared_row);
    sum_ += std::sqrt(squared);
  }
  double sum() const { return sum_; }

 private:
  std::vector<double> squared_;
  double sum_ = 0.0;
};

// One training. "For the last 2 n instances" leaves open what is counted, and what the correction
// is at an instance that needs none.
class Training {
 public:
  Training(const ThermalOptions& options, const Examples& examples, bool as_stored)
      : options_(options),
        examples_(examples),
        as_stored_(as_stored),
        machine_(examples),
        magnitude_(examples.n_targets),
        beta_(options.heat) {}

  // Presents the examples until training is over; returns whether the weights were corrected.
  bool meet(const std::vector<std::uint32_t>& order) {
    const std::int64_t before = corrections_;
    for (std::size_t next = 0; next < order.size() && !is_over();)
      next += meet_some(&order[next], order.size() - next);
    return corrections_ > before;
  }

  // Whether every example is correct, or too wrong to be corrected.
  bool is_settled() {
    for (std::uint32_t example = 0; example < examples_.size(); ++example) {
      machine_.foresee(&example, 1);
      if (error_at(example, 0)) return false;
    }
    return true;
  }

  // Whether training ends before the next example.
  bool is_over() const {
    return beta_ <= 0.0 || (options_.checked == ThermalOptions::Checked::instance && is_calm());
  }
  bool is_calm() const { return calm_ >= 2 * examples_.n_columns; }
  Trained result() const { return {machine_.weights(), corrections_}; }

 private:
  struct Error {
    int winner;
    double k;
  };

  // Presents examples up to a correction, which invalidates the products; returns their number.
  std::size_t meet_some(const std::uint32_t* order, std::size_t n) {
    const std::size_t passed = pass_over_many(order, n);
    if (passed == n) return n;
    order += passed;
    n = std::min<std::size_t>(n - passed, ahead_);
    machine_.foresee(order, static_cast<int>(n));
    for (std::size_t p = 0; p < n; ++p) {
      if (const std::optional<Error> error = error_at(order[p], static_cast<int>(p))) {
        correct(*error, beta_ * beta_ / (beta_ + error->k), order[p]);
        ahead_ = passes_over_many() ? Machine::kAhead : 1;
        return passed + p + 1;
      }
      pass_over();
      if (is_over()) return passed + p + 1;
    }
    ahead_ = Machine::kAhead;
    return passed + n;
  }

  // Uncorrected instances do not count if updates are counted.
  bool passes_over_many() const { return options_.unit == ThermalOptions::Unit::updates; }
  std::size_t pass_over_many(const std::uint32_t* order, std::size_t n) const {
    if (!passes_over_many()) return 0;
    const double reach = beta_ - options_.epsilon + kRounding * (beta_ + options_.epsilon);
    return machine_.out_of_reach(order, n, as_stored_, reach);
  }

  // `place`: among the precomputed rows.
  std::optional<Error> error_at(std::uint32_t example, int place) {
    const int i = examples_.target[example];
    int j = machine_.winner_of(place);
    if (i == j && options_.ties == ThermalOptions::Ties::wrong) j = machine_.strict_winner(j);
    is_wrong_ = i != j;
    if (!is_wrong_) return std::nullopt;
    const double k = machine_.correction(i, j, examples_.squared[example], options_.epsilon);
    return k < beta_ ? std::optional<Error>({j, k}) : std::nullopt;
  }

  // Uses the products of the preceding error_at().
  void correct(const Error& error, double c, std::uint32_t example) {
    const int i = examples_.target[example], j = error.winner;
    const double before = magnitude_.sum(), squared = examples_.squared[example];
    magnitude_.move(i, c, machine_.output(i), squared);
    magnitude_.move(j, -c, machine_.output(j), squared);
    machine_.correct(i, j, c, example);
    ++corrections_;
    const double after = magnitude_.sum();
    if (after < before && grew_) beta_ = options_.rate * beta_ - options_.step;
    grew_ = after > before;
    largest_ = std::max(largest_, after);
    // The correction moves two vectors by c Y each.
    last_is_small_ = 2.0 * c * std::sqrt(squared) < options_.calm * largest_;
    calm_ = last_is_small_ ? calm_ + 1 : 0;
  }

  void pass_over() {
    if (options_.unit == ThermalOptions::Unit::updates) return;
    if (options_.unit == ThermalOptions::Unit::errors && !is_wrong_) return;
    const bool small = options_.emag == ThermalOptions::Emag::current || last_is_small_;
    calm_ = small && largest_ > 0.0 ? calm_ + 1 : 0;
  }

  const ThermalOptions& options_;
  const Examples& examples_;
  bool as_stored_;  // examples come in stored order
  Machine machine_;
  Magnitude magnitude_;
  double beta_, largest_ = 0.0;
  std::size_t calm_ = 0;  // instances, or updates, since the last large correction
  std::int64_t corrections_ = 0;
  bool grew_ = false, last_is_small_ = false, is_wrong_ = false;
  std::size_t ahead_ = 1;  // rows to precompute: more if corrections are rare
};

}  // namespace

Trained ThermalTraining::train(const Examples& examples, Rng& rng, Supervisor& supervisor) const {
  Passes passes(examples.weight, options_.order, rng);
  Training training(options_, examples, passes.as_stored());
  for (int pass = 0; pass < kMostPasses; ++pass) {
    supervisor.check();
    const bool corrected = training.meet(passes.next());
    if (training.is_over()) return training.result();
    // Step 2 of the table: all rows are correct, or too wrong to be corrected. Drawn rows may not
    // have been all of them.
    const bool met_all = options_.order != PassOrder::drawn;
    if (training.is_calm() || (!corrected && (met_all || training.is_settled()))) break;
  }
  return training.result();
}

namespace {

const RegisteredLearner thermal_registered("ThermalTraining", [](Options& options) {
  using Thermal = ThermalOptions;
  return std::make_shared<ThermalTraining>(ThermalOptions{
      options.number("epsilon"), options.number("heat"), options.number("rate"),
      options.number("step"), options.number("calm"),
      options.choice<Thermal::Unit>("unit", {{"updates", Thermal::Unit::updates},
                                             {"errors", Thermal::Unit::errors},
                                             {"instances", Thermal::Unit::instances}}),
      options.choice<PassOrder>("order", {{"once", PassOrder::once},
                                          {"shuffled", PassOrder::shuffled},
                                          {"drawn", PassOrder::drawn}}),
      options.choice<Thermal::Ties>("ties", {{"heavier", Thermal::Ties::heavier},
                                             {"first", Thermal::Ties::first},
                                             {"wrong", Thermal::Ties::wrong}}),
      options.choice<Thermal::Emag>(
          "emag", {{"last", Thermal::Emag::last}, {"current", Thermal::Emag::current}}),
      options.choice<Thermal::Checked>("checked", {{"pass", Thermal::Checked::pass},
                                                   {"instance", Thermal::Checked::instance}})});
});

}  // namespace

}  // namespace aslant
