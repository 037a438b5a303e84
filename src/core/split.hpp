// The result of a search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace aslant {

class Search;

// What a search leaves to the nodes below its split, which find it in their context. Only the
// search that left it can read it: see SearchContext::legacy_of.
struct Legacy {
  explicit Legacy(const Search* left_by) : owner(left_by) {}
  virtual ~Legacy() = default;
  const Search* owner;
};

// A linear test over the node's columns, in compressed form.
//
// One vector: a hyperplane, coefs . x <= offset goes to child 0, else to child 1.
// k vectors: a linear machine, the largest coefs_i . x + offset_i wins, ties to the smaller i.
struct Split {
  std::vector<std::int32_t> columns;  // ascending, shared by all vectors
  std::vector<double> coefs;          // n_vectors x columns.size(), one vector after the other
  std::vector<double> offsets;        // n_vectors
  double score = 0.0;                 // the gain under the tree's criterion
  std::shared_ptr<const Legacy> legacy;
  bool keeps_empty = false;  // whether a child that no row takes is one all the same

  int n_vectors() const { return static_cast<int>(offsets.size()); }
  int n_children() const { return n_vectors() == 1 ? 2 : n_vectors(); }

  bool finite() const {
    for (double value : coefs)
      if (!std::isfinite(value)) return false;
    for (double value : offsets)
      if (!std::isfinite(value)) return false;
    return true;
  }
};

// The hyperplane coef . x <= threshold from a dense vector; zeros are left out.
inline Split hyperplane(const std::vector<double>& coef, double threshold, double score) {
  Split split;
  for (std::size_t j = 0; j < coef.size(); ++j) {
    if (coef[j] == 0.0) continue;
    split.columns.push_back(static_cast<std::int32_t>(j));
    split.coefs.push_back(coef[j]);
  }
  split.offsets = {threshold};
  split.score = score;
  return split;
}

// The same with the largest coefficient made 1. Only ratios matter; this one is easier to read.
inline Split scaled_hyperplane(std::vector<double> coef, double threshold, double score) {
  double largest = 0.0;
  for (double value : coef) largest = std::max(largest, std::abs(value));
  if (largest > 0.0 && std::isfinite(largest)) {
    for (double& value : coef) value /= largest;
    threshold /= largest;
  }
  return hyperplane(coef, threshold, score);
}

}  // namespace aslant
