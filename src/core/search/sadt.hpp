// SADT: simulated annealing of a hyperplane's coefficients.
#pragma once

#include "search.hpp"

namespace aslant {

struct SadtOptions {
  double temperature;
  double cooling;
  std::int64_t patience;  // perturbations without a new best that end the search
  bool move_all;          // perturb all coefficients at a time, not one
  double step;            // perturbations are uniform in [-step, step)
};

class Sadt : public Search {
 public:
  explicit Sadt(const SadtOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  SadtOptions options_;
};

}  // namespace aslant
