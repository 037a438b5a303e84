#include "learn/online.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "lanes.hpp"
#include "learn/levels.hpp"

namespace aslant {

namespace {

// A pass presents every distinct row about once at least. Beyond this many rows it presents no more
// than a few times the distinct ones: weights may be counts of people.
constexpr double kLongPass = 1e4, kTimesPerRow = 4.0;

std::uint64_t bits_of(double value) {
  std::uint64_t bits;
  value += 0.0;  // -0.0 equals 0.0
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// 64 scrambled bits for each row, equal for equal rows of the same target.
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

// Patterns are numbered from one category to the next.
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

// What a node's distinct rows have, in their order: a lesson after the other reads it from front to
// back.
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

// The patterns of the rows, what they add to the base, and to the squares.
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

// In the memory of the columns that were there.
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

class OnlineLessons : public Lessons {
 public:
  OnlineLessons(const OnlineLearner& learner, NodePointer node, const Targets& targets,
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
    Rng rng(subkey(context_.key, lesson_++));
    const Trained trained = learner_.train(examples_, rng, context_.supervisor);
    Learned learned;
    learned.weights = in_order_of_targets(trained.weights, columns.size() + 1);
    learned.corrections = trained.corrections;
    learned.outputs = outputs_of(*node_, columns, learned.weights);
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

  const OnlineLearner& learner_;
  NodePointer node_;
  Targets targets_;
  SearchContext context_;
  std::vector<int> precedence_;
  DistinctRows distinct_;
  InOrder in_order_;
  Examples examples_;
  std::uint64_t lesson_ = 0;
};

// Weight vectors as Machine keeps them.
struct Kept {
  const double *weights, *of_pattern;
};

// The products of kLanes rows with a vector, or with two; each sum in the order of columns.
class Products {
 public:
  Products(const Examples& examples, const std::uint32_t* four) : examples_(examples), four_(four) {
    for (int r = 0; r < kLanes; ++r) y_[r] = examples.row(four[r]);
  }

  ASLANT_INLINE void with(const Kept& v, Lanes& sum) const {
    const double *y0 = y_[0], *y1 = y_[1], *y2 = y_[2], *y3 = y_[3], *w = v.weights;
    for (std::size_t c = 0; c < examples_.width; ++c)
      sum += Lanes{w[c], w[c], w[c], w[c]} * Lanes{y0[c], y1[c], y2[c], y3[c]};
    add_levels(v, sum);
  }
  ASLANT_INLINE void with(const Kept& v0, const Kept& v1, Lanes& sum0, Lanes& sum1) const {
    const double *y0 = y_[0], *y1 = y_[1], *y2 = y_[2], *y3 = y_[3];
    const double *w0 = v0.weights, *w1 = v1.weights;
    for (std::size_t c = 0; c < examples_.width; ++c) {
      const Lanes y = {y0[c], y1[c], y2[c], y3[c]};
      sum0 += Lanes{w0[c], w0[c], w0[c], w0[c]} * y;
      sum1 += Lanes{w1[c], w1[c], w1[c], w1[c]} * y;
    }
    add_levels(v0, sum0);
    add_levels(v1, sum1);
  }

 private:
  ASLANT_INLINE void add_levels(const Kept& v, Lanes& sum) const {
    const double* t = v.of_pattern;
    const std::uint32_t* level = examples_.levels.data();
    Lanes all = {};
    for (std::size_t g = 0; g < examples_.patterns.n_categories; ++g, level += examples_.size())
      all += Lanes{t[level[four_[0]]], t[level[four_[1]]], t[level[four_[2]]], t[level[four_[3]]]};
    sum += all;
  }

  const Examples& examples_;
  const std::uint32_t* four_;
  const double* y_[kLanes];
};

ASLANT_MULTIVERSION
void multiply(const Examples& examples, const std::uint32_t* four, const Kept& v, double* out) {
  Lanes sum = {};
  Products(examples, four).with(v, sum);
  for (int r = 0; r < kLanes; ++r) out[r] = sum[r];
}

ASLANT_MULTIVERSION
void multiply(const Examples& examples, const std::uint32_t* four, const Kept& v0, const Kept& v1,
              double* out0, double* out1) {
  Lanes sum0 = {}, sum1 = {};
  Products(examples, four).with(v0, v1, sum0, sum1);
  for (int r = 0; r < kLanes; ++r) out0[r] = sum0[r];
  for (int r = 0; r < kLanes; ++r) out1[r] = sum1[r];
}

// Whether a row may need a correction of less than epsilon + reach: how far it is behind the
// boundary between two targets, on whose sides it should be, is told by its product.
ASLANT_MULTIVERSION
std::size_t first_in_reach(const Examples& examples, const Kept& v, const std::uint32_t* order,
                           std::size_t n, double reach) {
  const double *side = examples.side.data(), *squared = examples.squared.data();
  for (std::size_t p = 0; p + kLanes <= n; p += kLanes) {
    const std::uint32_t *four = order + p, a = four[0], b = four[1], c = four[2], d = four[3];
    Lanes sum = {};
    Products(examples, four).with(v, sum);
    AnyWithin any;
    any.add(
        Lanes{side[a], side[b], side[c], side[d]} * sum,
        Lanes{reach, reach, reach, reach} * Lanes{squared[a], squared[b], squared[c], squared[d]});
    if (any.found()) return p;
  }
  return n / kLanes * kLanes;
}

// The same for rows that are stored one after the other, from the first on.
ASLANT_MULTIVERSION
std::size_t first_in_reach_as_stored(const Examples& examples, const Kept& v, std::size_t first,
                                     std::size_t n, double reach) {
  constexpr int kBlocks = 4, kTogether = kBlocks * kLanes;
  const std::size_t n_columns = examples.columns.size(), n_rows = examples.size();
  for (std::size_t p = 0; p + kTogether <= n; p += kTogether) {
    const std::size_t i = first + p;
    Lanes sum[kBlocks] = {}, levels[kBlocks] = {}, x, squared;
    for (Lanes& s : sum) s += Lanes{v.weights[0], v.weights[0], v.weights[0], v.weights[0]};
    for (std::size_t c = 0; c < n_columns; ++c) {
      const double w = v.weights[c + 1];
      for (int b = 0; b < kBlocks; ++b) {
        load_lanes(examples.columns[c] + i + b * kLanes, x);
        sum[b] += Lanes{w, w, w, w} * x;
      }
    }
    const double* t = v.of_pattern;
    const std::uint32_t* level = examples.levels.data() + i;
    for (std::size_t g = 0; g < examples.patterns.n_categories; ++g, level += n_rows)
      for (int b = 0; b < kBlocks; ++b) {
        const std::uint32_t* l = level + b * kLanes;
        levels[b] += Lanes{t[l[0]], t[l[1]], t[l[2]], t[l[3]]};
      }
    AnyWithin any[kBlocks], all;
    for (int b = 0; b < kBlocks; ++b) {
      sum[b] += levels[b];
      load_lanes(&examples.side[i + b * kLanes], x);
      load_lanes(&examples.squared[i + b * kLanes], squared);
      any[b].add(x * sum[b], Lanes{reach, reach, reach, reach} * squared);
      all.add(any[b]);
    }
    for (int b = 0; all.found() && b < kBlocks; ++b)
      if (any[b].found()) return p + b * kLanes;
  }
  return n / kTogether * kTogether;
}

}  // namespace

// Rows that are not there are the first.
void Machine::foresee(const std::uint32_t* examples, int n) {
  static_assert(kAhead == kLanes, "rows are multiplied so many at a time");
  const auto kept = [this](int k) {
    return Kept{&weights_[k * examples_.width], of_pattern_.data() + k * examples_.patterns.size()};
  };
  std::uint32_t four[kAhead];
  for (int r = 0; r < kAhead; ++r) four[r] = examples[r < n ? r : 0];
  int v = 0;
  for (; v + 1 < n_vectors_; v += 2)
    multiply(examples_, four, kept(v), kept(v + 1), &outputs_[v * kAhead],
             &outputs_[(v + 1) * kAhead]);
  if (v < n_vectors_) multiply(examples_, four, kept(v), &outputs_[v * kAhead]);
  if (n_vectors_ < n_targets_)
    for (int r = 0; r < kAhead; ++r) outputs_[kAhead + r] = -outputs_[r];
}

std::size_t Machine::out_of_reach(const std::uint32_t* examples, std::size_t n, bool as_stored,
                                  double reach) const {
  if (n_targets_ != 2) return 0;
  const Kept kept{weights_.data(), of_pattern_.data()};
  return as_stored ? first_in_reach_as_stored(examples_, kept, examples[0], n, reach)
                   : first_in_reach(examples_, kept, examples, n, reach);
}

void Machine::correct(int i, int j, double c, std::uint32_t example) {
  if (i < n_vectors_) add(i, c, example);
  if (j < n_vectors_) add(j, -c, example);
}

void Machine::add(int vector, double c, std::uint32_t example) {
  const Patterns& patterns = examples_.patterns;
  const double* y = examples_.row(example);
  double* w = &weights_[vector * examples_.width];
  const std::size_t n_numbers = examples_.numbers.size();
  for (std::size_t k = 1; k <= n_numbers; ++k) w[k] += c * y[k];
  if (patterns.n_categories == 0) {
    w[0] += c;
    return;
  }
  w[0] += c * (patterns.squared_base + y[n_numbers + 1]);
  w[n_numbers + 1] += c;
  double* of_pattern = &of_pattern_[vector * patterns.size()];
  for (std::size_t g = 0; g < patterns.n_categories; ++g) {
    const std::uint32_t level = examples_.level(g, example);
    for (std::size_t e = patterns.effects_of[level]; e < patterns.effects_of[level + 1]; ++e)
      of_pattern[patterns.effects[e].pattern] += c * patterns.effects[e].product;
  }
}

std::vector<double> Machine::weights() const {
  const Patterns& patterns = examples_.patterns;
  const std::size_t width = examples_.n_columns + 1;
  std::vector<double> weights(n_targets_ * width, 0.0);
  for (int v = 0; v < n_vectors_; ++v) {
    const double *kept = &weights_[v * examples_.width],
                 *of_pattern = &of_pattern_[v * patterns.size()];
    double* w = &weights[v * width];
    w[0] = patterns.n_categories > 0 ? kept[examples_.width - 1] : kept[0];
    for (std::size_t c = 0; c < examples_.numbers.size(); ++c)
      w[1 + examples_.numbers[c]] = kept[1 + c];
    for (const Patterns::Column& column : patterns.columns)
      w[1 + column.place] = of_pattern[column.pattern] / column.step + w[0] * column.off;
  }
  if (n_vectors_ < n_targets_)
    for (std::size_t c = 0; c < width; ++c) weights[width + c] = -weights[c];
  return weights;
}

std::unique_ptr<Lessons> OnlineLearner::begin(const NodePointer& node, const Targets& targets,
                                              const SearchContext& context) const {
  return std::make_unique<OnlineLessons>(*this, node, targets, context);
}

}  // namespace aslant
