// The Pocket algorithm: perceptron training that keeps its best weights.
#pragma once

#include "learn/online.hpp"

namespace aslant {

struct PocketOptions {
  double epsilon;        // overshoot of a correction beyond the boundary
  bool ratchet;          // weights enter the pocket only if they classify more rows
  double passes;         // rows presented, in multiples of all rows
  double presentations;  // minimum number of rows presented
};

class Pocket : public OnlineLearner {
 public:
  explicit Pocket(const PocketOptions& options) : options_(options) {}
  Trained train(const Examples& examples, Rng& rng, Supervisor& supervisor) const override;

 private:
  PocketOptions options_;
};

}  // namespace aslant
