// Gain ratio among the tests of at least average gain.
#pragma once

#include <vector>

#include "criteria/registry.hpp"
#include "search/search.hpp"

namespace aslant {

inline double entropy_bits(const std::vector<double>& weights) {
  return impurity(kind_of<Entropy>(), weights.data(), static_cast<int>(weights.size()));
}

// A test, its information gain, and the entropy of its branch sizes ("split information").
struct GainTest {
  std::optional<Split> split;
  double gain = 0.0;
  double branch_entropy = 0.0;

  bool is_useful() const { return split && gain > 0.0 && branch_entropy > 0.0; }
};

// The test of highest gain ratio among those of at least average gain, the first of equals.
std::optional<Split> best_gain_ratio(std::vector<GainTest>& tests);

// Traits: classes only; no sparse tables; does not decide; random if its searches are.
// Reads: numeric columns one at a time, class weights, limits; what its searches read.
// Writes: one-term hyperplanes, or the split of a search; score = gain, choice by gain ratio.
class AverageGain : public Search {
 public:
  explicit AverageGain(std::vector<SearchPointer> searches) : searches_(std::move(searches)) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  std::vector<SearchPointer> searches_;
};

}  // namespace aslant
