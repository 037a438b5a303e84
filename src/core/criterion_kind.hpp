// Which criterion values a split: its name, and what the searches must know of it beforehand.
#pragma once

#include <array>
#include <stdexcept>
#include <string>

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

}  // namespace aslant
