// Best threshold along Fisher's linear discriminant.
#pragma once

#include "search/search.hpp"

namespace aslant {

struct FisherOptions {
  enum class Multiclass { superclasses, one_vs_rest };
  Multiclass multiclass;
  bool univariate;   // compete with the best threshold on a single column
  double min_cases;  // weight of each child
  bool shrinks;      // regularizes directions with many columns for the rows
};

// Traits: classes only; no sparse tables; does not decide; deterministic.
// Reads: varying columns, class means and covariances, training size.
// Writes: hyperplanes; score = gain; no legacy.
class Fisher : public Search {
 public:
  explicit Fisher(const FisherOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  ChildLimits limits_at(const Node& node) const override;

 private:
  FisherOptions options_;
};

}  // namespace aslant
