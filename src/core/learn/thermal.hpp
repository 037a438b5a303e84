// Thermal training: error correction that is annealed.
#pragma once

#include "learn/online.hpp"
#include "learn/presentation.hpp"

namespace aslant {

struct ThermalOptions {
  enum class Unit { updates, errors, instances };  // of which the last 2 n must be calm
  enum class Ties { heavier, first, wrong };
  enum class Emag { last, current };      // of an uncorrected instance: the last correction, or 0
  enum class Checked { pass, instance };  // when the stopping rule is checked

  double epsilon;  // overshoot of a correction beyond the boundary
  double heat;     // initial beta
  double rate;     // a: beta becomes a beta - b
  double step;     // b
  double calm;     // alpha: smaller corrections, relative to the weights, are calm
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
