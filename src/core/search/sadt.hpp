// SADT: simulated annealing of a hyperplane's coefficients.
#pragma once

#include "search.hpp"

namespace aslant {

struct SadtOptions {
  double temperature = 0.2;
  double cooling = 0.999;
  std::int64_t patience = 10000;  // perturbations without a new best that end the search
  bool move_all = false;          // perturb all coefficients at a time, not one
  double step = 0.5;              // perturbations are uniform in [-step, step)
};

class Sadt : public Search {
 public:
  explicit Sadt(const SadtOptions& options) : options_(options) {}
  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;

 private:
  SadtOptions options_;
};

}  // namespace aslant
