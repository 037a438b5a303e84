// J. R. Quinlan, Induction of Decision Trees, Machine Learning 1:81-106, 1986, section 7: the gain
// ratio alone favors tests with nearly empty branches, so it is compared only among tests whose
// gain is at least average. A number has one test, the threshold of highest gain.

#include "search/average_gain.hpp"

#include "node/partition.hpp"
#include "search/axis_parallel.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

GainTest with_gain(const Node& node, std::optional<Split> split) {
  if (!split) return {};
  const std::vector<Part> children = children_of(node, *split);
  std::vector<double> branch;
  double after = 0.0;
  for (const Part& child : children) {
    branch.push_back(node.target().weight_in(child.statistics.data()));
    after += branch.back() / node.target().total_weight() * entropy_bits(child.statistics);
  }
  split->score = score_of(node, children);
  return {std::move(split), entropy_bits(node.target().class_weight()) - after,
          entropy_bits(branch)};
}

}  // namespace

std::optional<Split> best_gain_ratio(std::vector<GainTest>& tests) {
  double sum = 0.0, count = 0.0;
  for (const GainTest& test : tests)
    if (test.split && test.gain > 0.0) {
      sum += test.gain;
      count += 1.0;
    }
  std::optional<Split> best;
  double best_ratio = 0.0;
  for (GainTest& test : tests) {
    if (!test.is_useful() || test.gain < sum / count - 1e-5) continue;
    const double ratio = test.gain / test.branch_entropy;
    if (best && !(ratio > best_ratio)) continue;
    best = std::move(test.split);
    best_ratio = ratio;
  }
  return best;
}

std::optional<Split> AverageGain::find(const NodePointer& node,
                                       const SearchContext& context) const {
  const std::vector<int>& numeric = node->columns().numeric();
  std::vector<GainTest> tests(numeric.size());
  const LineSearch search(node->target().sweep_rows(), kind_of<Entropy>(), node->limits());
  for_each_number(*node, context, [&](std::size_t i, const double* x) {
    tests[i] = with_gain(*node, best_threshold(*node, search, numeric[i], x));
  });
  context.hyperplanes += 1;
  for (std::size_t i = 0; i < searches_.size(); ++i)
    tests.push_back(with_gain(*node, searches_[i]->find(node, context.below(i))));
  return best_gain_ratio(tests);
}

namespace {

const RegisteredSearch average_gain_registered("AverageGain", [](Options& options) {
  return std::make_shared<AverageGain>(options.searches("searches"));
});

}  // namespace

}  // namespace aslant
