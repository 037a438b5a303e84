// Linear threshold units and linear machines.
#pragma once

#include <memory>

#include "learn/learner.hpp"
#include "search.hpp"

namespace aslant {

class LinearMachine : public Search {
 public:
  // With `superclasses` the classes are joined into two groups, and the machine is a threshold
  // unit.
  LinearMachine(std::shared_ptr<const Learner> learner, bool superclasses)
      : learner_(std::move(learner)), superclasses_(superclasses) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  std::unique_ptr<SubsetSearch> on_subsets(const NodePointer& node,
                                           const SearchContext& context) const override;

 private:
  std::shared_ptr<const Learner> learner_;
  bool superclasses_;
};

}  // namespace aslant
