// The splitting criteria.
//
// A criterion holds the statistics of child 0 (target.hpp) while rows move in and out of it, and
// scores the partition at any moment: higher is better, 0 means "no better than not splitting". The
// sweep of the line search is compiled once per criterion, so nothing virtual runs inside it.
//
// Every criterion is made from the statistics of a node, with an empty child 0, and has the same
// members: set() says what child 0 holds, weight0() is its weight, score() the value of the present
// partition and beats(score) whether it is greater, without a division if beats_is_cheap(). move()
// puts a row into child 0 (negative weight: takes it out): a class and a weight, or a weight and
// the row's numbers.
//
// Murthy, Kasif and Salzberg (1994), section 3.3 and appendix, for those of classes but the gain
// ratio, which is Quinlan's (1993); Breiman et al. (1984), chapter 8, for the squared error. Where
// a paper minimises an impurity or a reciprocal we maximise the decrease: the order of splits is
// the same and nothing divides by a vanishing gain.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace aslant {

// A criterion that somebody else wrote: what the class weights of two children are worth.
class OwnCriterion {
 public:
  virtual ~OwnCriterion() = default;
  virtual double score(const double* child0, const double* total, int n_classes) const = 0;
};

// Which criterion; used like an enumeration. Whoever has a criterion of its own keeps it alive.
class CriterionKind {
 public:
  enum Value {
    gini,
    entropy,
    gain_ratio,
    twoing,
    max_minority,
    sum_minority,
    sum_of_variances,
    squared_error,  // of numbers
    poisson,        // of numbers that are not negative
    own             // an OwnCriterion
  };
  CriterionKind(Value value) : value_(value) {}
  explicit CriterionKind(const OwnCriterion& criterion) : value_(own), criterion_(&criterion) {}
  operator Value() const { return value_; }
  const OwnCriterion& criterion() const { return *criterion_; }

 private:
  Value value_;
  const OwnCriterion* criterion_ = nullptr;
};

// Whether the criterion values numbers, not classes.
inline bool is_of_numbers(CriterionKind kind) {
  return kind == CriterionKind::squared_error || kind == CriterionKind::poisson;
}

inline CriterionKind criterion_from_name(const std::string& name) {
  static const std::array<const char*, 9> names = {
      "gini",         "entropy",          "gain_ratio",    "twoing", "max_minority",
      "sum_minority", "sum_of_variances", "squared_error", "poisson"};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (name == names[i]) return static_cast<CriterionKind::Value>(i);
  throw std::invalid_argument("unknown criterion '" + name + "'");
}

// Whether the score is a convex function of the statistics of child 0: see bins.hpp.
inline bool is_convex(CriterionKind kind) {
  return kind != CriterionKind::gain_ratio && kind != CriterionKind::max_minority &&
         kind != CriterionKind::own;
}

// The least score worth a split. A gain of zero may still lead somewhere (exclusive or), and CART
// follows it; a twoing value or a count of misplaced rows of zero separates nothing.
inline double least_score(CriterionKind kind) {
  switch (kind) {
    case CriterionKind::gini:
    case CriterionKind::entropy:
    case CriterionKind::squared_error:
    case CriterionKind::poisson:
      return -1e-12;
    case CriterionKind::twoing:
      return 1e-25;  // a square: rounding leaves about 1e-32
    default:
      return 1e-14;
  }
}

// z log2 z, from a table for the small whole numbers that unweighted class counts are.
inline double z_log_z(double z) {
  static const std::vector<double> table = [] {
    std::vector<double> values(1 << 14, 0.0);
    for (std::size_t i = 2; i < values.size(); ++i)
      values[i] = static_cast<double>(i) * std::log2(static_cast<double>(i));
    return values;
  }();
  if (!(z > 0.0)) return 0.0;  // rounding may leave a tiny negative weight
  if (z < static_cast<double>(table.size())) {
    const auto whole = static_cast<std::size_t>(z);
    if (static_cast<double>(whole) == z) return table[whole];
  }
  return z * std::log2(z);
}

// Class weights of the node and of child 0; what is not in child 0 is in child 1.
class ClassWeights {
 public:
  ClassWeights(const double* total, int n_classes, std::vector<double>& scratch)
      : total_(total), n_classes_(n_classes), n_(std::accumulate(total, total + n_classes, 0.0)) {
    scratch.assign(n_classes, 0.0);
    child0_ = scratch.data();
  }
  double weight0() const { return n0_; }
  bool one_is_empty() const { return !(n0_ > 0.0) || !(n0_ < n_); }
  const double* total() const { return total_; }
  // Whether bin_scores.hpp knows the criterion.
  static constexpr bool kBounded = false;
  bool beats_is_cheap() const { return false; }

  // Child 0 now holds these class weights.
  void set(const double* class_weight0) {
    n0_ = 0.0;
    for (int k = 0; k < n_classes_; ++k) {
      child0_[k] = class_weight0[k];
      n0_ += class_weight0[k];
    }
  }

 protected:
  // Square of the distance between the two sides' share of class 0, up to the factor n0 n1: what
  // both Gini and twoing come to with two classes.
  double squared_distance() const {
    const double distance = (n_ * child0_[0] - total_[0] * n0_) / n_;
    return distance * distance;
  }
  double in1(int k) const { return total_[k] - child0_[k]; }
  void put(int k, double weight) {
    child0_[k] += weight;
    n0_ += weight;
  }

  const double* total_;
  int n_classes_;
  double n_, n0_ = 0.0;
  double* child0_;
};

// Decrease of 1 - sum p_k^2. Summed anew for every score, as all criteria are: sums carried along
// would cancel where weights differ by orders of magnitude, and let ties depend on the row order.
class Gini : public ClassWeights {
 public:
  Gini(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassWeights(total, n_classes, scratch) {
    for (int k = 0; k < n_classes; ++k) before_ += (total[k] / n_) * (total[k] / n_);
  }
  void move(int k, double weight) { put(k, weight); }
  double score() const {
    if (n_classes_ == 2) return 2.0 * squared_distance() / (n0_ * (n_ - n0_));
    double squares0 = 0.0, squares1 = 0.0;
    for (int k = 0; k < n_classes_; ++k) {
      squares0 += child0_[k] * child0_[k];
      squares1 += in1(k) * in1(k);
    }
    return (squares0 / n0_ + squares1 / (n_ - n0_)) / n_ - before_;
  }
  bool beats(double best) const {
    if (n_classes_ == 2) return 2.0 * squared_distance() > best * (n0_ * (n_ - n0_));
    return score() > best;
  }
  bool beats_is_cheap() const { return n_classes_ == 2; }
  static constexpr bool kBounded = true;

 private:
  double before_ = 0.0;
};

// Decrease of the entropy, in bits: the information gain.
class Entropy : public ClassWeights {
 public:
  Entropy(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassWeights(total, n_classes, scratch), before_(z_log_z(n_)) {
    for (int k = 0; k < n_classes; ++k) before_ -= z_log_z(total[k]);
  }
  void move(int k, double weight) { put(k, weight); }
  double score() const {
    double after = z_log_z(n0_) + z_log_z(n_ - n0_);
    for (int k = 0; k < n_classes_; ++k) after -= z_log_z(child0_[k]) + z_log_z(in1(k));
    return (before_ - after) / n_;
  }
  bool beats(double best) const { return score() > best; }

 private:
  double before_;
};

// Information gain over the entropy of the branch sizes.
class GainRatio : public Entropy {
 public:
  using Entropy::Entropy;
  double score() const {
    const double branches = (z_log_z(n_) - z_log_z(n0_) - z_log_z(n_ - n0_)) / n_;
    return branches > 0.0 ? Entropy::score() / branches : 0.0;
  }
  bool beats(double best) const { return score() > best; }
};

// (n0/n)(n1/n) (sum_k |p_k|0 - p_k|1|)^2, with the fractions cleared.
class Twoing : public ClassWeights {
 public:
  using ClassWeights::ClassWeights;
  void move(int k, double weight) { put(k, weight); }
  double score() const {
    if (n_classes_ == 2) return 4.0 * squared_distance() / (n0_ * (n_ - n0_));
    double distance = 0.0;
    for (int k = 0; k < n_classes_; ++k) distance += std::abs(n_ * child0_[k] - total_[k] * n0_);
    distance /= n_;
    return distance * distance / (n0_ * (n_ - n0_));
  }
  bool beats(double best) const {
    if (n_classes_ == 2) return 4.0 * squared_distance() > best * (n0_ * (n_ - n0_));
    return score() > best;
  }
  bool beats_is_cheap() const { return n_classes_ == 2; }
  static constexpr bool kBounded = true;
};

// What is not of the majority class, on either side.
class Minorities : public ClassWeights {
 public:
  Minorities(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassWeights(total, n_classes, scratch),
        before_(n_ - *std::max_element(total, total + n_classes)) {}
  void move(int k, double weight) { put(k, weight); }

 protected:
  double minority0() const { return n0_ - *std::max_element(child0_, child0_ + n_classes_); }
  double minority1() const {
    double most = 0.0;
    for (int k = 0; k < n_classes_; ++k) most = std::max(most, in1(k));
    return n_ - n0_ - most;
  }
  double before_;
};

class MaxMinority : public Minorities {
 public:
  using Minorities::Minorities;
  double score() const { return (before_ - std::max(minority0(), minority1())) / n_; }
  bool beats(double best) const { return score() > best; }
};

class SumMinority : public Minorities {
 public:
  using Minorities::Minorities;
  double score() const { return (before_ - minority0() - minority1()) / n_; }
  bool beats(double best) const { return score() > best; }
};

// Statistics of numbers: weight and sums, of the node and of child 0.
class NumberSums {
 public:
  NumberSums(const double* total, int width, std::vector<double>& scratch)
      : total_(total), width_(width) {
    scratch.assign(width, 0.0);
    child0_ = scratch.data();
  }
  void set(const double* in0) { std::copy(in0, in0 + width_, child0_); }
  void move(double weight, const double* number) {
    child0_[0] += weight;
    for (int q = 1; q < width_; ++q) child0_[q] += weight * number[q - 1];
  }
  double weight0() const { return child0_[0]; }
  bool one_is_empty() const { return !(child0_[0] > 0.0) || !(child0_[0] < total_[0]); }
  const double* total() const { return total_; }
  static constexpr bool kBounded = false;
  bool beats_is_cheap() const { return false; }

 protected:
  const double* total_;
  int width_;
  double* child0_;
};

// Decrease of the mean squared deviation, summed over the outputs. The numbers must be counted from
// near their mean, or what differs between them is lost in the squares.
class SquaredError : public NumberSums {
 public:
  SquaredError(const double* total, int width, std::vector<double>& scratch)
      : NumberSums(total, width, scratch) {
    for (int q = 1; q < width; ++q) before_ += total[q] * total[q] / total[0];
  }
  double score() const {
    const double n0 = child0_[0], n1 = total_[0] - n0;
    double after = 0.0;
    for (int q = 1; q < width_; ++q) {
      const double sum0 = child0_[q], sum1 = total_[q] - sum0;
      after += sum0 * sum0 / n0 + sum1 * sum1 / n1;
    }
    return (after - before_) / total_[0];
  }
  bool beats(double best) const { return score() > best; }

 private:
  double before_ = 0.0;
};

// The same of one output, which most trees predict: its two sums stay in registers.
class SquaredErrorOfOne : public NumberSums {
 public:
  SquaredErrorOfOne(const double* total, int width, std::vector<double>& scratch)
      : NumberSums(total, width, scratch),
        n_(total[0]),
        sum_(total[1]),
        before_(total[1] * total[1] / total[0]) {}
  void set(const double* in0) {
    n0_ = in0[0];
    sum0_ = in0[1];
  }
  void move(double weight, const double* number) {
    n0_ += weight;
    sum0_ += weight * *number;
  }
  double weight0() const { return n0_; }
  bool one_is_empty() const { return !(n0_ > 0.0) || !(n0_ < n_); }
  double score() const {
    const double n1 = n_ - n0_, sum1 = sum_ - sum0_;
    return (sum0_ * sum0_ / n0_ + sum1 * sum1 / n1 - before_) / n_;
  }
  // Without a division.
  bool beats(double best) const {
    const double n1 = n_ - n0_, sum1 = sum_ - sum0_;
    return sum0_ * sum0_ * n1 + sum1 * sum1 * n0_ > (best * n_ + before_) * (n0_ * n1);
  }
  bool beats_is_cheap() const { return true; }

 private:
  double n_, sum_, before_;
  double n0_ = 0.0, sum0_ = 0.0;
};

// Decrease of the mean half Poisson deviance: sum log mean of the children less that of the node. A
// child without any sum has no likelihood.
class Poisson : public NumberSums {
 public:
  Poisson(const double* total, int width, std::vector<double>& scratch)
      : NumberSums(total, width, scratch), before_(part(total[1], total[0])) {}
  double score() const {
    if (!(child0_[1] > 0.0) || !(total_[1] - child0_[1] > 0.0))
      return -std::numeric_limits<double>::infinity();
    return limit();
  }
  bool beats(double best) const { return score() > best; }
  // What the score tends to where a sum vanishes.
  double limit() const {
    return (part(child0_[1], child0_[0]) + part(total_[1] - child0_[1], total_[0] - child0_[0]) -
            before_) /
           total_[0];
  }

 private:
  static double part(double sum, double n) { return sum > 0.0 ? sum * std::log(sum / n) : 0.0; }
  double before_;
};

// The decrease of the variance of class numbers, which are first assigned by frequency at the node.
class SumOfVariances : public ClassWeights {
 public:
  SumOfVariances(const double* total, int n_classes, std::vector<double>& scratch)
      : ClassWeights(total, n_classes, scratch), rank_(n_classes) {
    std::vector<int> order(n_classes);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [total](int a, int b) { return total[a] > total[b]; });
    for (int i = 0; i < n_classes; ++i) rank_[order[i]] = i + 1.0;
    for (int k = 0; k < n_classes; ++k) mean_ += total[k] * rank_[k] / n_;
  }
  void move(int k, double weight) { put(k, weight); }
  // With ranks counted from their mean, the sums of the children are each other's negatives.
  double score() const {
    double sum0 = 0.0;
    for (int k = 0; k < n_classes_; ++k) sum0 += child0_[k] * (rank_[k] - mean_);
    return sum0 * sum0 / (n0_ * (n_ - n0_));
  }
  bool beats(double best) const { return score() > best; }
  // Variance of these ranks within one child.
  double variance(const double* child) const {
    double n = 0.0, mean = 0.0, squares = 0.0;
    for (int k = 0; k < n_classes_; ++k) n += child[k];
    for (int k = 0; k < n_classes_; ++k) mean += child[k] * rank_[k] / n;
    for (int k = 0; k < n_classes_; ++k)
      squares += child[k] * (rank_[k] - mean) * (rank_[k] - mean) / n;
    return squares;
  }

 private:
  std::vector<double> rank_;
  double mean_ = 0.0;
};

// The decrease that a criterion of somebody's own says.
class Own : public ClassWeights {
 public:
  Own(const double* total, int n_classes, std::vector<double>& scratch,
      const OwnCriterion& criterion)
      : ClassWeights(total, n_classes, scratch), criterion_(criterion) {}
  void move(int k, double weight) { put(k, weight); }
  double score() const { return criterion_.score(child0_, total_, n_classes_); }
  bool beats(double best) const { return score() > best; }

 private:
  const OwnCriterion& criterion_;
};

// Whether the present statistics, as a corner of a box, allow more than `wanted` inside the box.
template <class Criterion>
bool corner_beats(const Criterion& criterion, double wanted) {
  return criterion.one_is_empty() ? wanted < 0.0 : criterion.beats(wanted);
}
// An empty child with a sum has no finite score: the box may hold anything.
inline bool corner_beats(const SquaredErrorOfOne& criterion, double wanted) {
  return criterion.one_is_empty() || criterion.beats(wanted);
}
inline bool corner_beats(const Poisson& criterion, double wanted) {
  return criterion.one_is_empty() || criterion.limit() > wanted;
}

// Calls visit(criterion) with the criterion of this kind, child 0 being empty.
template <class Visitor>
auto with_criterion(CriterionKind kind, const double* total, int width,
                    std::vector<double>& scratch, Visitor&& visit) {
  switch (kind) {
    case CriterionKind::gini:
      return visit(Gini(total, width, scratch));
    case CriterionKind::entropy:
      return visit(Entropy(total, width, scratch));
    case CriterionKind::gain_ratio:
      return visit(GainRatio(total, width, scratch));
    case CriterionKind::twoing:
      return visit(Twoing(total, width, scratch));
    case CriterionKind::max_minority:
      return visit(MaxMinority(total, width, scratch));
    case CriterionKind::sum_minority:
      return visit(SumMinority(total, width, scratch));
    case CriterionKind::sum_of_variances:
      return visit(SumOfVariances(total, width, scratch));
    case CriterionKind::squared_error:
      return width == 2 ? visit(SquaredErrorOfOne(total, width, scratch))
                        : visit(SquaredError(total, width, scratch));
    case CriterionKind::own:
      return visit(Own(total, width, scratch, kind.criterion()));
    default:
      return visit(Poisson(total, width, scratch));
  }
}

// Score of a partition given by the statistics of child 0.
inline double partition_score(CriterionKind kind, const double* child0, const double* total,
                              int width) {
  std::vector<double> scratch;
  return with_criterion(kind, total, width, scratch, [&](auto criterion) {
    criterion.set(child0);
    return criterion.score();
  });
}

// Impurity of one node of classes. Twoing has none of its own; Gini's is the one it decreases for
// two classes. Nor has a criterion of two children that somebody else wrote.
inline double impurity(CriterionKind kind, const double* total, int n_classes) {
  const double n = std::accumulate(total, total + n_classes, 0.0);
  if (!(n > 0.0)) return 0.0;
  double sum = 0.0;
  switch (kind) {
    case CriterionKind::gini:
    case CriterionKind::twoing:
    case CriterionKind::own:
      for (int k = 0; k < n_classes; ++k) sum += (total[k] / n) * (total[k] / n);
      return std::max(0.0, 1.0 - sum);
    case CriterionKind::entropy:
    case CriterionKind::gain_ratio:
      for (int k = 0; k < n_classes; ++k) sum += z_log_z(total[k]);
      return std::max(0.0, (z_log_z(n) - sum) / n);
    case CriterionKind::max_minority:
    case CriterionKind::sum_minority:
      return std::max(0.0, 1.0 - *std::max_element(total, total + n_classes) / n);
    default: {
      std::vector<double> sorted(total, total + n_classes);
      std::sort(sorted.rbegin(), sorted.rend());
      double mean = 0.0, squares = 0.0;
      for (int i = 0; i < n_classes; ++i) mean += sorted[i] * (i + 1.0) / n;
      for (int i = 0; i < n_classes; ++i)
        squares += sorted[i] * (i + 1.0 - mean) * (i + 1.0 - mean) / n;
      return squares;
    }
  }
}

// Score of a partition into any number of children. For two it is partition_score, except that
// twoing and a criterion of somebody's own, which know two sides only, give way to the decrease of
// the node's impurity.
inline double multiway_score(CriterionKind kind, const std::vector<std::vector<double>>& children,
                             const std::vector<double>& total) {
  const int n_classes = static_cast<int>(total.size());
  const double n = std::accumulate(total.begin(), total.end(), 0.0);
  std::vector<double> scratch, sizes;
  double after = 0.0, most = 0.0;
  SumOfVariances ranked(total.data(), n_classes, scratch);
  for (const std::vector<double>& child : children) {
    const double size = std::accumulate(child.begin(), child.end(), 0.0);
    if (!(size > 0.0)) continue;
    const double share = kind == CriterionKind::sum_of_variances
                             ? ranked.variance(child.data())
                             : impurity(kind, child.data(), n_classes);
    sizes.push_back(size);
    after += size / n * share;
    most = std::max(most, size / n * share);
  }
  if (kind == CriterionKind::max_minority) after = most;
  const double gain = impurity(kind, total.data(), n_classes) - after;
  if (kind != CriterionKind::gain_ratio) return gain;
  const double branches =
      impurity(CriterionKind::entropy, sizes.data(), static_cast<int>(sizes.size()));
  return branches > 0.0 ? gain / branches : 0.0;
}

}  // namespace aslant
