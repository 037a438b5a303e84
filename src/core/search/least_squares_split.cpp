// C. E. Brodley and P. E. Utgoff, Multivariate Decision Trees, Machine Learning 19:45-77, 1995,
// section 3.1, with numbers for a target: ridge regression gives the direction, the exact line
// search the threshold. For several outputs the direction is the first principal axis of what the
// regressions predict.

#include "search/least_squares_split.hpp"

#include <stdexcept>

#include "learn/least_squares.hpp"
#include "partition.hpp"
#include "principal_axis.hpp"
#include "registry.hpp"

namespace aslant {

namespace {

class RegressionOnSubsets : public SubsetSearch {
 public:
  RegressionOnSubsets(NodePointer node, double ridge, const SearchContext& context)
      : node_(std::move(node)),
        context_(context),
        line_(node_->line_search()),
        lessons_(lessons_of_numbers(node_, ridge * node_->target().total_weight())) {}

  std::optional<Candidate> find(const std::vector<int>& columns) override {
    if (columns.empty()) return std::nullopt;
    context_.supervisor.check();
    ++context_.hyperplanes;
    const Learned learned = lessons_->learn(columns);
    const int k = node_->target().n_outputs();
    const std::vector<double> axis = principal_axis(learned.outputs, k, node_->target());
    std::vector<double> weights(columns.size() + 1, 0.0), projections(node_->n_rows(), 0.0);
    for (int q = 0; q < k; ++q) {
      for (std::size_t c = 0; c < weights.size(); ++c)
        weights[c] += axis[q] * learned.weights[q * weights.size() + c];
      for (std::size_t i = 0; i < projections.size(); ++i)
        projections[i] += axis[q] * learned.outputs[q * projections.size() + i];
    }
    return candidate(columns, weights, projections);
  }

  void settle_on(const std::vector<int>& columns) override { lessons_->settle_on(columns); }

 private:
  // The projections include the constant, which is the first of the weights.
  std::optional<Candidate> candidate(const std::vector<int>& columns,
                                     const std::vector<double>& weights,
                                     const std::vector<double>& projections) const {
    Candidate candidate;
    candidate.split.columns.assign(columns.begin(), columns.end());
    candidate.split.coefs.assign(weights.begin() + 1, weights.end());
    candidate.split.offsets = {-weights[0]};
    const auto best = line_.threshold(projections.data(), rounding(projections));
    if (best) {
      candidate.split.offsets[0] += best->alpha;
      candidate.split.score = best->score;
      candidate.separates = true;
      candidate.accuracy = accuracy_of(*node_, parts_by(node_->target(), 2, [&](std::size_t i) {
        return projections[i] <= best->alpha ? 0 : 1;
      }));
    }
    if (!candidate.split.finite()) return std::nullopt;
    return candidate;
  }

  NodePointer node_;
  SearchContext context_;
  LineSearch line_;
  std::unique_ptr<Lessons> lessons_;
};

}  // namespace

std::optional<Split> LeastSquaresSplit::find(const NodePointer& node,
                                             const SearchContext& context) const {
  auto candidate = on_subsets(node, context)->find(node->columns().varying());
  if (!candidate || !candidate->separates) return std::nullopt;
  return std::move(candidate->split);
}

std::unique_ptr<SubsetSearch> LeastSquaresSplit::on_subsets(const NodePointer& node,
                                                            const SearchContext& context) const {
  if (node->target().has_classes())
    throw std::invalid_argument("LeastSquares needs numbers to predict, not classes");
  return std::make_unique<RegressionOnSubsets>(node, ridge_, context);
}

namespace {

const RegisteredSearch least_squares_split_registered("LeastSquaresSplit", [](Options& options) {
  return std::make_shared<LeastSquaresSplit>(options.number("ridge"));
});

}  // namespace

}  // namespace aslant
