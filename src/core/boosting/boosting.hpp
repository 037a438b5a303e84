// Rounds of gradient boosting: derivatives of the loss, a tree for each output, new predictions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "boosting/binned_features.hpp"
#include "boosting/grower.hpp"
#include "boosting/loss.hpp"

namespace aslant {

class Boosting {
 public:
  // `raw` holds the predictions to begin with, output by output.
  Boosting(std::shared_ptr<BinnedFeatures> binned, std::shared_ptr<const Loss> loss, LossRows rows,
           std::vector<double> raw, BoostingSettings settings);

  // One round: a tree for each output. The key decides all draws.
  std::vector<BoostedTree> grow(std::uint64_t key, int n_threads,
                                std::function<void()> look_outside);

  const std::vector<double>& raw() const { return raw_; }
  const LossRows& rows() const { return rows_; }
  const Loss& loss() const { return *loss_; }
  const BinnedFeatures& binned() const { return *binned_; }
  std::int64_t n_directions() const { return n_directions_; }

 private:
  void set_leaf_values(BoostedTree& tree, const std::vector<std::uint32_t>& rows,
                       const double* raw) const;

  std::shared_ptr<BinnedFeatures> binned_;
  std::shared_ptr<const Loss> loss_;
  LossRows rows_;
  std::vector<double> raw_;
  BoostingSettings settings_;
  std::vector<Derivatives> derivatives_;
  std::vector<double> updated_;
  BoostingGrower::Memory memory_;
  std::int64_t n_directions_ = 0;
};

}  // namespace aslant
