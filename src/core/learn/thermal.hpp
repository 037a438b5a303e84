// Thermal training: an error correction that cools down.
#pragma once

#include "learn/online.hpp"

namespace aslant {

struct ThermalOptions {
  double epsilon = 0.1;  // what a correction adds beyond the boundary
  double heat = 2.0;     // beta at the start
  double rate = 0.999;   // a: beta becomes a beta - b
  double step = 0.0005;  // b
  double calm = 0.01;    // alpha: corrections smaller than this share of the weights are small
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
