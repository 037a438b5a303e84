// Learners that correct the weights after each example.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/learner.hpp"
#include "learn/machine.hpp"

namespace aslant {

struct Trained {
  std::vector<double> weights;  // a vector per target
  std::int64_t corrections;     // it took
};

class OnlineLearner : public Learner {
 public:
  std::unique_ptr<FitSession> begin(const NodePointer& node, const Targets& targets,
                                    const SearchContext& context) const override;

  virtual Trained train(const Examples& examples, Rng& rng, Supervisor& supervisor) const = 0;

  // Whether the heavier target wins ties, not the first.
  virtual bool heavier_first() const { return true; }
};

}  // namespace aslant
