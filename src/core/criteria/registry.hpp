// All criteria. A new criterion is one file and one line here: names, dispatch, impurities and the
// Python lists derive from this list.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "criteria/custom.hpp"
#include "criteria/entropy.hpp"
#include "criteria/gain_ratio.hpp"
#include "criteria/gini.hpp"
#include "criteria/max_minority.hpp"
#include "criteria/poisson.hpp"
#include "criteria/squared_error.hpp"
#include "criteria/sum_minority.hpp"
#include "criteria/sum_of_variances.hpp"
#include "criteria/twoing.hpp"

namespace aslant {

template <class... Criteria>
struct CriterionList {};

using AllCriteria = CriterionList<  //
    Gini,                           //
    Entropy,                        //
    GainRatio,                      //
    Twoing,                         //
    MaxMinority,                    //
    SumMinority,                    //
    SumOfVariances,                 //
    SquaredError,                   //
    Poisson,                        //
    Custom>;

// A type as a value.
template <class Criterion>
struct CriterionType {
  using type = Criterion;
};

// Calls visit(CriterionType<C>()) for every criterion.
template <class Visitor, class... Criteria>
void for_each_criterion(CriterionList<Criteria...>, Visitor&& visit) {
  (visit(CriterionType<Criteria>()), ...);
}

template <class Wanted, class... Criteria>
constexpr int index_in(CriterionList<Criteria...>) {
  int index = 0, found = -1;
  ((std::is_same_v<Wanted, Criteria> ? found = index : 0, ++index), ...);
  return found;
}

// Which criterion a tree uses.
class CriterionKind {
 public:
  explicit CriterionKind(const std::string& name) {
    int index = 0;
    for_each_criterion(AllCriteria(), [&](auto type) {
      using Criterion = typename decltype(type)::type;
      if (!std::is_same_v<Criterion, Custom> && name == Criterion::kName) index_ = index;
      ++index;
    });
    if (index_ < 0) throw std::invalid_argument("unknown criterion '" + name + "'");
  }
  explicit CriterionKind(const CustomCriterion& custom)
      : index_(index_in<Custom>(AllCriteria())), custom_(&custom) {}
  template <class Criterion>
  explicit CriterionKind(CriterionType<Criterion>) : index_(index_in<Criterion>(AllCriteria())) {
    static_assert(index_in<Criterion>(AllCriteria()) >= 0, "criteria must be registered");
  }

  int index() const { return index_; }
  template <class Criterion>
  bool is() const {
    return index_ == index_in<Criterion>(AllCriteria());
  }
  const CustomCriterion& custom() const { return *custom_; }

 private:
  int index_ = -1;
  const CustomCriterion* custom_ = nullptr;
};

template <class Criterion>
CriterionKind kind_of() {
  return CriterionKind(CriterionType<Criterion>());
}

// Calls visit(CriterionType<C>()) for the criterion of this kind.
template <class Visitor, class First, class... Rest>
auto with_type(CriterionKind kind, CriterionList<First, Rest...>, Visitor&& visit) {
  if constexpr (sizeof...(Rest) > 0) {
    if (!kind.is<First>()) return with_type(kind, CriterionList<Rest...>(), visit);
  }
  return visit(CriterionType<First>());
}

// Calls visit(criterion) for the criterion of this kind, with child 0 empty.
template <class Visitor>
auto with_criterion(CriterionKind kind, const double* total, int width,
                    std::vector<double>& scratch, Visitor&& visit) {
  return with_type(kind, AllCriteria(), [&](auto type) {
    using Criterion = typename decltype(type)::type;
    if constexpr (std::is_same_v<Criterion, Custom>) {
      return visit(Custom(total, width, scratch, kind.custom()));
    } else if constexpr (std::is_same_v<Criterion, SquaredError>) {
      return width == 2 ? visit(SquaredErrorOfOneOutput(total, width, scratch))
                        : visit(SquaredError(total, width, scratch));
    } else {
      return visit(Criterion(total, width, scratch));
    }
  });
}

inline bool is_regression(CriterionKind kind) {
  return with_type(kind, AllCriteria(),
                   [](auto type) { return kIsRegression<typename decltype(type)::type>; });
}

inline bool is_convex(CriterionKind kind) {
  return with_type(kind, AllCriteria(), [](auto type) { return decltype(type)::type::kConvex; });
}

inline double least_score(CriterionKind kind) {
  return with_type(kind, AllCriteria(),
                   [](auto type) { return decltype(type)::type::kLeastScore; });
}

// Calls visit(CriterionType<C>()) if it is a regression criterion.
template <class Visitor>
void with_regression_type(CriterionKind kind, Visitor&& visit) {
  with_type(kind, AllCriteria(), [&](auto type) {
    if constexpr (kIsRegression<typename decltype(type)::type>) visit(type);
  });
}

// Whether sweeps center regression targets.
inline bool centers_targets(CriterionKind kind) {
  bool centers = false;
  with_regression_type(kind, [&](auto type) { centers = decltype(type)::type::kCentersTargets; });
  return centers;
}

// Score of a partition, given the statistics of child 0.
inline double partition_score(CriterionKind kind, const double* child0, const double* total,
                              int width) {
  std::vector<double> scratch;
  return with_criterion(kind, total, width, scratch, [&](auto criterion) {
    criterion.set(child0);
    return criterion.score();
  });
}

// Impurity of one node of a classification tree.
inline double impurity(CriterionKind kind, const double* total, int n_classes) {
  if (!(std::accumulate(total, total + n_classes, 0.0) > 0.0)) return 0.0;
  return with_type(kind, AllCriteria(), [&](auto type) -> double {
    using Criterion = typename decltype(type)::type;
    if constexpr (kIsRegression<Criterion>)
      throw std::logic_error("the impurity of regression targets is summed row by row");
    else
      return Criterion::impurity(total, n_classes);
  });
}

// Score of a partition into any number of nonempty children.
inline double multiway_score(CriterionKind kind, const ChildStatistics& children,
                             const std::vector<double>& total) {
  return with_type(kind, AllCriteria(), [&](auto type) {
    using Criterion = typename decltype(type)::type;
    if constexpr (HasMultiwayScore<Criterion>::value)
      return Criterion::multiway_score(children, total);
    else
      return impurity_decrease<Criterion>(children, total);
  });
}

}  // namespace aslant
