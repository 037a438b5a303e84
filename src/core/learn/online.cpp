#include "learn/online.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "learn/levels.hpp"

namespace aslant {

namespace {

// A pass presents every distinct row at least about once; a long one at most a few times on
// average, as weights may be population counts.
constexpr double kLongPass = 1e4, kTimesPerRow = 4.0;

std::uint64_t bits_of(double value) {
  std::uint64_t bits;
  value += 0.0;  // -0.0 equals 0.0
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// 64 hashed bits per row, equal for equal rows of one target.
std::vector<std::uint64_t> content_keys(const Node& node, const std::vector<int>& target,
                                        std::uint64_t key) {
  std::vector<std::uint64_t> keys(node.n_rows());
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = key ^ static_cast<std::uint64_t>(target[i]);
  for (int j : node.columns().varying()) {
    if (const LevelColumns* levels = node.columns().levels_of(j)) {
      const int level = j - levels->first_column;
      const std::uint64_t off = bits_of(levels->off[level]), on = bits_of(levels->on[level]),
                          missing = bits_of(levels->missing[level]);
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::int32_t code = (*levels->code)[i];
        keys[i] = scramble(keys[i] ^ (code == level ? on : code < 0 ? missing : off));
      }
      continue;
    }
    const double* x = node.column(j);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = scramble(keys[i] ^ bits_of(x[i]));
  }
  return keys;
}

// The distinct rows of a node and their counts, in a random order that depends on values and key.
struct DistinctRows {
  std::vector<std::uint32_t> row;
  std::vector<int> target;
  std::vector<double> weight;
};

// `precedence` lists the targets in the order in which they win ties, and renumbers them.
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

// Patterns are numbered consecutively across categories.
void append_patterns(const LevelsInUse& levels, Patterns& all) {
  const auto first = static_cast<std::uint32_t>(all.size());
  const auto missing = static_cast<std::uint32_t>(first + levels.missing());
  std::vector<Patterns::Effect> of_missing;
  double missing_along = 0.0, missing_squared = 0.0;
  const auto append = [&all](double along_base, double squared) {
    all.along_base.push_back(along_base);
    all.squared.push_back(squared);
    all.effects_of.push_back(all.effects.size());
  };
  append(0.0, 0.0);
  for (std::size_t c = 0; c < levels.size(); ++c) {
    const auto own = static_cast<std::uint32_t>(first + 1 + c);
    const double off = levels.off(c), step = levels.step(c), lack = levels.missing_step(c);
    append(off * step, step * step);
    all.effects.push_back({own, step * step});
    all.effects.push_back({missing, step * lack});
    of_missing.push_back({own, step * lack});
    missing_along += off * lack;
    missing_squared += lack * lack;
    all.columns.push_back({levels.place(c), own, off, step});
    all.squared_base += off * off;
  }
  append(missing_along, missing_squared);
  all.effects.insert(all.effects.end(), of_missing.begin(), of_missing.end());
  all.effects.push_back({missing, missing_squared});
}

Patterns patterns_of(const std::vector<LevelsInUse>& categories) {
  Patterns patterns;
  patterns.n_categories = categories.size();
  for (const LevelsInUse& levels : categories) append_patterns(levels, patterns);
  patterns.effects_of.push_back(patterns.effects.size());
  return patterns;
}

// Columns in the order of the distinct rows, so that every fit reads memory sequentially.
class InOrder {
 public:
  InOrder(const Node& node, const std::vector<std::uint32_t>& rows)
      : node_(node), rows_(rows), numbers_(node.n_columns()), codes_(categories().size()) {}

  const double* number(int column) { return put_in_order(node_.column(column), numbers_[column]); }
  const std::int32_t* code(const LevelColumns& levels) {
    return put_in_order(levels.code->data(), codes_[&levels - categories().data()]);
  }

 private:
  const std::vector<LevelColumns>& categories() const { return node_.columns().by_level(); }

  template <class T>
  const T* put_in_order(const T* values, std::vector<T>& ordered) const {
    if (ordered.empty())
      for (std::uint32_t row : rows_) ordered.push_back(values[row]);
    return ordered.data();
  }

  const Node& node_;
  const std::vector<std::uint32_t>& rows_;
  std::vector<std::vector<double>> numbers_;
  std::vector<std::vector<std::int32_t>> codes_;
};

// The patterns of the rows and their terms in B.D_p and Y.Y.
void append_levels(const std::vector<LevelsInUse>& categories, InOrder& node, Examples& examples) {
  const Patterns& patterns = examples.patterns;
  const std::size_t n = examples.size();
  examples.levels.resize(n * categories.size());
  examples.along_base.assign(n, 0.0);
  std::uint32_t first = 0, *level = examples.levels.data();
  for (const LevelsInUse& category : categories) {
    const std::int32_t* code = node.code(category.columns());
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t p = *level++ = first + category.pattern(code[i]);
      examples.along_base[i] += patterns.along_base[p];
      examples.squared[i] += 2.0 * patterns.along_base[p] + patterns.squared[p];
    }
    first += static_cast<std::uint32_t>(category.n_patterns());
  }
  examples.columns.push_back(examples.along_base.data());
}

void append_rows(Examples& examples) {
  examples.rows.resize(examples.size() * examples.width);
  double* y = examples.rows.data();
  for (std::size_t i = 0; i < examples.size(); ++i) {
    *y++ = 1.0;
    for (const double* x : examples.columns) *y++ = x[i];
  }
}

Examples without_columns(const DistinctRows& distinct, int n_targets) {
  Examples examples;
  examples.n_targets = n_targets;
  examples.target = distinct.target;
  for (int target : distinct.target) examples.side.push_back(target == 0 ? -1.0 : 1.0);
  examples.weight = distinct.weight;
  return examples;
}

// Reuses the memory of the previous columns.
void set_columns(const NodeColumns& node, InOrder& in_order, const std::vector<int>& columns,
                 Examples& examples) {
  const ColumnsByKind kinds = by_kind(node, columns);
  examples.numbers = kinds.numbers;
  examples.patterns = patterns_of(kinds.categories);
  examples.n_columns = columns.size();
  examples.width = 1 + kinds.numbers.size() + (kinds.categories.empty() ? 0 : 1);
  examples.squared.assign(examples.size(), examples.patterns.squared_base);
  examples.columns.clear();
  for (std::size_t place : kinds.numbers) {
    const double* x = in_order.number(columns[place]);
    for (std::size_t i = 0; i < examples.size(); ++i) examples.squared[i] += x[i] * x[i];
    examples.columns.push_back(x);
  }
  if (!kinds.categories.empty()) append_levels(kinds.categories, in_order, examples);
  append_rows(examples);
}

std::vector<int> precedence_of(const OnlineLearner& learner, const Targets& targets) {
  if (learner.heavier_first()) return targets.by_weight;
  std::vector<int> in_order(targets.by_weight.size());
  std::iota(in_order.begin(), in_order.end(), 0);
  return in_order;
}

class OnlineSession : public FitSession {
 public:
  OnlineSession(const OnlineLearner& learner, NodePointer node, const Targets& targets,
                const SearchContext& context)
      : learner_(learner),
        node_(std::move(node)),
        targets_(targets),
        context_(context),
        precedence_(precedence_of(learner, targets)),
        distinct_(distinct_rows(*node_, targets, precedence_, context.key)),
        in_order_(*node_, distinct_.row),
        examples_(without_columns(distinct_, targets.count())) {}

  Learned learn(const std::vector<int>& columns) override {
    set_columns(node_->columns(), in_order_, columns, examples_);
    Rng rng(subkey(context_.key, n_fits_++));
    const Trained trained = learner_.train(examples_, rng, context_.supervisor);
    Learned learned;
    learned.weights = in_order_of_targets(trained.weights, columns.size() + 1);
    learned.corrections = trained.corrections;
    learned.outputs = outputs_of(*node_, columns, learned.weights);
    return learned;
  }

 private:
  // Undoes the renumbering; of two vectors only the difference is kept.
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

  const OnlineLearner& learner_;
  NodePointer node_;
  Targets targets_;
  SearchContext context_;
  std::vector<int> precedence_;
  DistinctRows distinct_;
  InOrder in_order_;
  Examples examples_;
  std::uint64_t n_fits_ = 0;
};

}  // namespace

std::unique_ptr<FitSession> OnlineLearner::begin(const NodePointer& node, const Targets& targets,
                                                 const SearchContext& context) const {
  return std::make_unique<OnlineSession>(*this, node, targets, context);
}

}  // namespace aslant
