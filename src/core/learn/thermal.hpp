// Thermal training: an error correction that cools down.
#pragma once

#include "learn/online.hpp"
#include "learn/presentation.hpp"

namespace aslant {

struct ThermalOptions {
  enum class Unit { updates, errors, instances };  // of which the last 2 n must be calm
  enum class Ties { heavier, first, wrong };
  enum class Emag { last, current };  // at an instance that is not corrected: the last one, or 0
  enum class Checked { pass, instance };  // when the rule is asked

  double epsilon;  // what a correction adds beyond the boundary
  double heat;     // beta at the start
  double rate;     // a: beta becomes a beta - b
  double step;     // b
  double calm;     // alpha: corrections smaller than this share of the weights are small
  Unit unit;
  PassOrder order;
  Ties ties;
  Emag emag;
  Checked checked;
};

class ThermalTraining : public OnlineLearner {
 public:
  explicit ThermalTraining(const ThermalOptions& options) : options_(options) {}
  Trained train(const Examples& examples, Rng& rng, Supervisor& supervisor) const override;
  bool heavier_first() const override { return options_.ties != ThermalOptions::Ties::first; }

 private:
  ThermalOptions options_;
};

}  // namespace aslant
