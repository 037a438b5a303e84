// Linear threshold units and linear machines.
#pragma once

#include <memory>

#include "learn/learner.hpp"
#include "search/capabilities.hpp"

namespace aslant {

// Traits: classes only; no sparse tables; does not decide; random as its learner; SearchesSubsets.
// Reads: varying columns in comparable units, labels, weights, limits.
// Writes: linear machines, hyperplanes for two branches; score = gain; no legacy.
class LinearMachine : public Search, public SearchesSubsets {
 public:
  // `superclasses`: two groups of classes, which make the machine a threshold unit. `keep_empty`:
  // keeps the branch of a class that wins no row.
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
