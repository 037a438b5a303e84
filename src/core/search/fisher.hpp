// Best threshold along Fisher's linear discriminant.
#pragma once

#include "search.hpp"

namespace aslant {

struct FisherOptions {
  enum class Multiclass { superclasses, one_vs_rest };
  Multiclass multiclass = Multiclass::superclasses;
  bool univariate = false;  // compete with the best threshold on a single column
  double min_cases = 2.0;   // weight of each child
};

class Fisher : public Search {
 public:
  explicit Fisher(const FisherOptions& options) : options_(options) {}
  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;

 private:
  FisherOptions options_;
};

}  // namespace aslant
