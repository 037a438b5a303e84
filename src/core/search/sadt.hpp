// SADT: simulated annealing of a hyperplane's coefficients.
#pragma once

#include "search/search.hpp"

namespace aslant {

struct SadtOptions {
  double temperature;
  double cooling;
  std::int64_t patience;  // perturbations without improvement that end the search
  bool move_all;          // perturb all coefficients at once, not one
  double step;            // perturbations are uniform in [-step, step)
};

// Traits: both targets; no sparse tables; does not decide; random.
// Reads: varying columns scaled to [0, 1], targets, weights, limits.
// Writes: hyperplanes; score = gain; no legacy.
class Sadt : public Search {
 public:
  explicit Sadt(const SadtOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  SadtOptions options_;
};

}  // namespace aslant
