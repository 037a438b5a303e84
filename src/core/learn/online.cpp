#include "learn/online.hpp"

#include <algorithm>
#include <numeric>

namespace aslant {

namespace {

// A pass presents every distinct row about once at least. Beyond this many rows it presents no more
// than a few times the distinct ones: weights may be counts of people.
constexpr double kLongPass = 1e4, kTimesPerRow = 4.0;

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Rows sorted by their values and, where these agree, by target.
std::vector<std::uint32_t> sorted_rows(const Node& node, const std::vector<int>& columns,
                                       const std::vector<int>& target) {
  std::vector<std::uint32_t> order(node.n_rows());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (int j : columns) {
      const double* x = node.column(j);
      if (x[a] != x[b]) return x[a] < x[b];
    }
    return target[a] < target[b];
  });
  return order;
}

Examples make_examples(const Node& node, const std::vector<int>& columns, const Targets& targets) {
  std::vector<int> rank(targets.count());
  for (int r = 0; r < targets.count(); ++r) rank[targets.by_weight[r]] = r;
  std::vector<int> target(node.n_rows());
  for (std::size_t i = 0; i < target.size(); ++i)
    target[i] = rank[targets.of_class[node.label()[i]]];
  Examples examples;
  examples.n_targets = targets.count();
  examples.width = columns.size() + 1;
  std::vector<double> y(examples.width, 1.0);
  for (std::uint32_t i : sorted_rows(node, columns, target)) {
    for (std::size_t c = 0; c < columns.size(); ++c) y[c + 1] = node.column(columns[c])[i];
    const bool copy = examples.size() > 0 && examples.target.back() == target[i] &&
                      std::equal(y.begin(), y.end(), examples.rows.end() - examples.width);
    if (copy) {
      examples.weight.back() += node.weight_of(i);
      continue;
    }
    examples.rows.insert(examples.rows.end(), y.begin(), y.end());
    examples.target.push_back(target[i]);
    examples.weight.push_back(node.weight_of(i));
    examples.squared.push_back(std::inner_product(y.begin(), y.end(), y.begin(), 0.0));
  }
  const double sum = total(examples.weight), distinct = static_cast<double>(examples.size());
  const double longest = std::max(kLongPass, kTimesPerRow * distinct);
  const double scale = std::min(std::max(1.0, distinct / sum), longest / sum);
  for (double& weight : examples.weight) weight *= scale;
  return examples;
}

class OnlineLessons : public Lessons {
 public:
  OnlineLessons(const OnlineLearner& learner, std::shared_ptr<const Node> node,
                const Targets& targets, const SearchContext& context)
      : learner_(learner), node_(std::move(node)), targets_(targets), context_(context) {}

  Learned learn(const std::vector<int>& columns) override {
    const Examples examples = make_examples(*node_, columns, targets_);
    Rng rng(subkey(context_.key, lesson_++));
    const std::vector<double> trained = learner_.train(examples, rng, context_.supervisor);
    Learned learned;
    learned.weights = in_order_of_targets(trained, examples.width);
    learned.outputs = outputs(learned.weights, columns);
    return learned;
  }

 private:
  // Training numbers the targets by weight. Of two vectors only the difference is kept.
  std::vector<double> in_order_of_targets(const std::vector<double>& trained,
                                          std::size_t width) const {
    std::vector<double> weights(trained.size());
    for (int r = 0; r < targets_.count(); ++r)
      std::copy_n(trained.begin() + r * width, width,
                  weights.begin() + targets_.by_weight[r] * width);
    if (targets_.count() != 2) return weights;
    for (std::size_t c = 0; c < width; ++c) weights[c] -= weights[width + c];
    weights.resize(width);
    return weights;
  }

  std::vector<double> outputs(const std::vector<double>& weights,
                              const std::vector<int>& columns) const {
    const std::size_t n = node_->n_rows(), width = columns.size() + 1;
    std::vector<double> outputs(targets_.n_vectors() * n);
    for (int v = 0; v < targets_.n_vectors(); ++v) {
      double* out = &outputs[v * n];
      std::fill_n(out, n, weights[v * width]);
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const double* x = node_->column(columns[c]);
        const double w = weights[v * width + c + 1];
        for (std::size_t i = 0; i < n; ++i) out[i] += w * x[i];
      }
    }
    return outputs;
  }

  const OnlineLearner& learner_;
  std::shared_ptr<const Node> node_;
  Targets targets_;
  SearchContext context_;
  std::uint64_t lesson_ = 0;
};

}  // namespace

int Machine::winner(const double* y) {
  int best = 0;
  for (std::size_t k = 0; k < output_.size(); ++k) {
    const double* w = &weights_[k * width_];
    double sum = 0.0;
    for (std::size_t c = 0; c < width_; ++c) sum += w[c] * y[c];
    output_[k] = sum;
    if (sum > output_[best]) best = static_cast<int>(k);
  }
  return best;
}

void Machine::correct(int i, int j, double c, const double* y) {
  double *wi = &weights_[i * width_], *wj = &weights_[j * width_];
  for (std::size_t k = 0; k < width_; ++k) {
    wi[k] += c * y[k];
    wj[k] -= c * y[k];
  }
}

std::unique_ptr<Lessons> OnlineLearner::begin(const std::shared_ptr<const Node>& node,
                                              const Targets& targets,
                                              const SearchContext& context) const {
  return std::make_unique<OnlineLessons>(*this, node, targets, context);
}

}  // namespace aslant
