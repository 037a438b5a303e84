#include "learn/online.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "lanes.hpp"

namespace aslant {

namespace {

// A pass presents every distinct row about once at least. Beyond this many rows it presents no more
// than a few times the distinct ones: weights may be counts of people.
constexpr double kLongPass = 1e4, kTimesPerRow = 4.0;

// 64 scrambled bits for each row, equal for equal rows of the same target.
std::vector<std::uint64_t> content_keys(const Node& node, const std::vector<int>& target,
                                        std::uint64_t key) {
  std::vector<std::uint64_t> keys(node.n_rows());
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = key ^ static_cast<std::uint64_t>(target[i]);
  for (int j : node.columns().varying()) {
    const double* x = node.column(j);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      std::uint64_t bits;
      const double value = x[i] + 0.0;  // -0.0 equals 0.0
      std::memcpy(&bits, &value, sizeof bits);
      keys[i] = scramble(keys[i] ^ bits);
    }
  }
  return keys;
}

// The distinct rows of a node in a random order that is a function of their values and a key; how
// often each is there.
struct DistinctRows {
  std::vector<std::uint32_t> row;
  std::vector<int> target;
  std::vector<double> weight;
};

// `precedence` lists the targets in the order in which they win ties; it numbers them here.
DistinctRows distinct_rows(const Node& node, const Targets& targets,
                           const std::vector<int>& precedence, std::uint64_t key) {
  std::vector<int> rank(targets.count()), target(node.n_rows());
  for (int r = 0; r < targets.count(); ++r) rank[precedence[r]] = r;
  for (std::size_t i = 0; i < target.size(); ++i)
    target[i] = rank[targets.of_class[node.target().label()[i]]];
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order(node.n_rows());
  const std::vector<std::uint64_t> keys = content_keys(node, target, key);
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = {keys[i], static_cast<std::uint32_t>(i)};
  std::sort(order.begin(), order.end());
  DistinctRows distinct;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t row = order[i].second;
    if (i > 0 && order[i].first == order[i - 1].first) {
      distinct.weight.back() += node.weight_of(row);
      continue;
    }
    distinct.row.push_back(row);
    distinct.target.push_back(target[row]);
    distinct.weight.push_back(node.weight_of(row));
  }
  const double sum = std::accumulate(distinct.weight.begin(), distinct.weight.end(), 0.0);
  const auto count = static_cast<double>(distinct.row.size());
  const double longest = std::max(kLongPass, kTimesPerRow * count);
  const double scale = std::min(std::max(1.0, count / sum), longest / sum);
  for (double& weight : distinct.weight) weight *= scale;
  return distinct;
}

Examples make_examples(const Node& node, const DistinctRows& distinct, int n_targets,
                       const std::vector<int>& columns) {
  Examples examples{n_targets, columns.size() + 1, {}, distinct.target, distinct.weight, {}};
  const std::size_t width = examples.width;
  examples.rows.assign(distinct.row.size() * width, 1.0);
  examples.squared.assign(distinct.row.size(), 1.0);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const double* x = node.column(columns[c]);
    double* y = &examples.rows[c + 1];
    for (std::size_t i = 0; i < distinct.row.size(); ++i, y += width) {
      *y = x[distinct.row[i]];
      examples.squared[i] += *y * *y;
    }
  }
  return examples;
}

std::vector<int> precedence_of(const OnlineLearner& learner, const Targets& targets) {
  if (learner.heavier_first()) return targets.by_weight;
  std::vector<int> in_order(targets.by_weight.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  return in_order;
}

class OnlineLessons : public Lessons {
 public:
  OnlineLessons(const OnlineLearner& learner, NodePointer node, const Targets& targets,
                const SearchContext& context)
      : learner_(learner),
        node_(std::move(node)),
        targets_(targets),
        context_(context),
        precedence_(precedence_of(learner, targets)),
        distinct_(distinct_rows(*node_, targets, precedence_, context.key)) {}

  Learned learn(const std::vector<int>& columns) override {
    const Examples examples = make_examples(*node_, distinct_, targets_.count(), columns);
    Rng rng(subkey(context_.key, lesson_++));
    const Trained trained = learner_.train(examples, rng, context_.supervisor);
    Learned learned;
    learned.weights = in_order_of_targets(trained.weights, examples.width);
    learned.corrections = trained.corrections;
    learned.outputs = outputs(learned.weights, columns);
    return learned;
  }

 private:
  // Training numbers the targets in their order of precedence. Of two vectors only the difference
  // is kept.
  std::vector<double> in_order_of_targets(const std::vector<double>& trained,
                                          std::size_t width) const {
    std::vector<double> weights(trained.size());
    for (int r = 0; r < targets_.count(); ++r)
      std::copy_n(trained.begin() + r * width, width, weights.begin() + precedence_[r] * width);
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
  NodePointer node_;
  Targets targets_;
  SearchContext context_;
  std::vector<int> precedence_;
  DistinctRows distinct_;
  std::uint64_t lesson_ = 0;
};

}  // namespace

namespace {

// The products of kLanes rows with a weight vector, or with two; each sum in the order of columns.
ASLANT_MULTIVERSION
void multiply(const double* const* rows, std::size_t width, const double* w0, const double* w1,
              double* products0, double* products1) {
  const double *y0 = rows[0], *y1 = rows[1], *y2 = rows[2], *y3 = rows[3];
  Lanes sum0 = {}, sum1 = {};
  for (std::size_t c = 0; c < width; ++c) {
    const Lanes y = {y0[c], y1[c], y2[c], y3[c]};
    sum0 += Lanes{w0[c], w0[c], w0[c], w0[c]} * y;
    sum1 += Lanes{w1[c], w1[c], w1[c], w1[c]} * y;
  }
  for (int r = 0; r < kLanes; ++r) products0[r] = sum0[r];
  for (int r = 0; r < kLanes; ++r) products1[r] = sum1[r];
}

}  // namespace

// Two vectors at a time; the last may be its own neighbour. Rows that are not there are the first.
void Machine::foresee(const double* const* rows, int n_rows) {
  static_assert(kAhead == kLanes, "rows are multiplied so many at a time");
  const double* all[kAhead];
  for (int r = 0; r < kAhead; ++r) all[r] = rows[r < n_rows ? r : 0];
  for (int k = 0; k < n_targets_; k += 2) {
    const int next = std::min(k + 1, n_targets_ - 1);
    multiply(all, width_, &weights_[k * width_], &weights_[next * width_], &outputs_[k * kAhead],
             &outputs_[next * kAhead]);
  }
}

void Machine::correct(int i, int j, double c, const double* y) {
  double *wi = &weights_[i * width_], *wj = &weights_[j * width_];
  for (std::size_t k = 0; k < width_; ++k) {
    wi[k] += c * y[k];
    wj[k] -= c * y[k];
  }
}

std::unique_ptr<Lessons> OnlineLearner::begin(const NodePointer& node, const Targets& targets,
                                              const SearchContext& context) const {
  return std::make_unique<OnlineLessons>(*this, node, targets, context);
}

}  // namespace aslant
