// S. I. Gallant, Optimal linear discriminants, ICPR 1986, as used by C. E. Brodley and P. E.
// Utgoff, Multivariate Decision Trees, Machine Learning 19:45-77, 1995, section 3.2: the weights
// with the longest run of correct classifications stay in the pocket; rows come at random, and
// errors are corrected by the absolute error correction rule.

#include "learn/pocket.hpp"

#include <algorithm>

#include "learn/presentation.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

constexpr int kBetweenChecks = 4096;  // presentations between interrupt checks

double weight_of_correct(Machine& machine, const Examples& examples) {
  double correct = 0.0;
  for (std::uint32_t i = 0; i < examples.size(); ++i)
    if (machine.winner(i) == examples.target[i]) correct += examples.weight[i];
  return correct;
}

// The pocket. Weights are evaluated once, however long their run.
struct Held {
  std::vector<double> weights;
  double run = 0.0, correct = -1.0;
};

}  // namespace

Trained Pocket::train(const Examples& examples, Rng& rng, Supervisor& supervisor) const {
  Machine machine(examples);
  const Lottery lottery(examples.weight);
  Held held{machine.weights()};
  const double limit = std::max(options_.passes * lottery.total(), options_.presentations);
  double run = 0.0, correct = -1.0;  // of the current weights; -1: not evaluated
  std::int64_t corrections = 0;
  bool in_pocket = true;
  for (std::int64_t shown = 0; static_cast<double>(shown) < limit; ++shown) {
    if (shown % kBetweenChecks == 0) supervisor.check();
    const auto example = static_cast<std::uint32_t>(lottery.draw(rng));
    const int i = examples.target[example], j = machine.winner(example);
    if (i != j) {
      const double c = machine.correction(i, j, examples.squared[example], options_.epsilon);
      machine.correct(i, j, c, example);
      ++corrections;
      run = 0.0;
      correct = -1.0;
      in_pocket = false;
      continue;
    }
    run += 1.0;
    if (run <= held.run) continue;
    const bool measure = options_.ratchet || run >= static_cast<double>(examples.size());
    if (measure && correct < 0.0) correct = weight_of_correct(machine, examples);
    if (options_.ratchet && !in_pocket && !(correct > held.correct)) continue;
    held.run = run;
    held.correct = correct;
    if (!in_pocket) held.weights = machine.weights();
    in_pocket = true;
    if (correct >= lottery.total()) break;  // all rows are correct
  }
  return {std::move(held.weights), corrections};
}

namespace {

const RegisteredLearner pocket_registered("Pocket", [](Options& options) {
  return std::make_shared<Pocket>(PocketOptions{options.number("epsilon"), options.flag("ratchet"),
                                                options.number("passes"),
                                                options.number("presentations")});
});

}  // namespace

}  // namespace aslant
