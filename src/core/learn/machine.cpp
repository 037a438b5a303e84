#include "learn/machine.hpp"

#include <algorithm>

#include "support/multiversion.hpp"
#include "tree/lanes.hpp"

namespace aslant {

namespace {

// Weight vectors as Machine stores them.
struct Kept {
  const double *weights, *of_pattern;
};

// The products of kLanes rows with one or two vectors; sums in the order of columns.
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

// Number of leading rows of which none needs a correction below epsilon + reach: a product is the
// distance to the boundary between two targets.
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

// The same for rows in stored order.
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

// Missing rows are replaced by the first.
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
                 *of_pattern = of_pattern_.data() + v * patterns.size();
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

}  // namespace aslant
