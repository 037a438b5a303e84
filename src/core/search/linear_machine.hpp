// Linear threshold units and linear machines.
#pragma once

#include <memory>

#include "learn/learner.hpp"
#include "search.hpp"

namespace aslant {

class LinearMachine : public Search {
 public:
  // With `superclasses` the classes are joined into two groups, and the machine is a threshold
  // unit. With `keep_empty` a class has a branch even if no row takes it.
  LinearMachine(std::shared_ptr<const Learner> learner, bool superclasses, bool keep_empty)
      : learner_(std::move(learner)), superclasses_(superclasses), keep_empty_(keep_empty) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  std::unique_ptr<SubsetSearch> on_subsets(const NodePointer& node,
                                           const SearchContext& context) const override;

 private:
  std::shared_ptr<const Learner> learner_;
  bool superclasses_, keep_empty_;
};

}  // namespace aslant
