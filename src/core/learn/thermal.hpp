// Thermal training: an error correction that cools down.
#pragma once

#include "learn/online.hpp"

namespace aslant {

struct ThermalOptions {
  double epsilon;  // what a correction adds beyond the boundary
  double heat;     // beta at the start
  double rate;     // a: beta becomes a beta - b
  double step;     // b
  double calm;     // alpha: corrections smaller than this share of the weights are small
};

class ThermalTraining : public OnlineLearner {
 public:
  explicit ThermalTraining(const ThermalOptions& options) : options_(options) {}
  std::vector<double> train(const Examples& examples, Rng& rng,
                            Supervisor& supervisor) const override;

 private:
  ThermalOptions options_;
};

}  // namespace aslant
