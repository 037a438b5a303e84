// The result of a search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "tree/linear_test.hpp"

namespace aslant {

class Search;

// Relative: scores this close are equal.
constexpr double kSameScore = 1e-9;
inline bool better_score(double score, double than) {
  return score > than + kSameScore * std::max(std::abs(score), std::abs(than));
}

// State that a search leaves to the nodes below its split; only it can read it: legacy_of().
struct Legacy {
  explicit Legacy(const Search* left_by) : owner(left_by) {}
  virtual ~Legacy() = default;
  const Search* owner;
};

// A linear test on its way from the search to the tree, in compressed sparse rows.
// One vector: a hyperplane, coefs . x <= offset goes to child 0, else to child 1.
// k vectors: a linear machine, the largest coefs_i . x + offset_i wins, ties to the smaller i.
// A search writes it in node units; growth converts it to input units and adds fills and runs.
struct Split {
  std::vector<std::int64_t> start = {0};  // vector v has the terms start[v] to start[v + 1]
  std::vector<std::int32_t> columns;      // of the terms, ascending in a vector
  std::vector<double> coefs;              // of the terms, never zero
  std::vector<double> offsets;            // of the vectors
  std::vector<double> fills;              // of the terms: replace missing values
  std::vector<std::int32_t> runs;         // see LinearTest; empty without categories
  double score = 0.0;                     // the gain under the tree's criterion
  std::shared_ptr<const Legacy> legacy;
  bool keeps_empty = false;  // keep children without rows

  int n_vectors() const { return static_cast<int>(offsets.size()); }
  int n_children() const { return n_vectors() == 1 ? 2 : n_vectors(); }
  bool is_constant() const { return columns.empty(); }

  bool finite() const {
    const auto is_finite = [](double value) { return std::isfinite(value); };
    return std::all_of(coefs.begin(), coefs.end(), is_finite) &&
           std::all_of(offsets.begin(), offsets.end(), is_finite);
  }

  // Keeps the memory.
  void clear() {
    start.assign(1, 0);
    columns.clear();
    coefs.clear();
    offsets.clear();
    fills.clear();
    runs.clear();
    legacy.reset();
    keeps_empty = false;
  }

  // Adds a term to the current vector; drops zero coefficients.
  void add(int column, double coef) {
    if (coef == 0.0) return;
    columns.push_back(column);
    coefs.push_back(coef);
  }
  void end_vector(double offset) {
    offsets.push_back(offset);
    start.push_back(static_cast<std::int64_t>(columns.size()));
  }

  // Keeps the terms with keep(column, coef); call before complete().
  template <class Keep>
  void keep_terms(const Keep& keep) {
    std::int64_t kept = 0, e = 0;
    for (int v = 0; v < n_vectors(); ++v) {
      for (; e < start[v + 1]; ++e)
        if (keep(columns[e], coefs[e])) {
          columns[kept] = columns[e];
          coefs[kept++] = coefs[e];
        }
      start[v + 1] = kept;
    }
    columns.resize(kept);
    coefs.resize(kept);
  }

  // Sorts the terms of a hyperplane by column.
  void sort_terms() {
    if (std::is_sorted(columns.begin(), columns.end())) return;
    std::vector<std::pair<std::int32_t, double>> terms;
    for (std::size_t e = 0; e < columns.size(); ++e) terms.emplace_back(columns[e], coefs[e]);
    std::sort(terms.begin(), terms.end());
    for (std::size_t e = 0; e < columns.size(); ++e) std::tie(columns[e], coefs[e]) = terms[e];
  }

  // Completes a split in the units of the input; fill(column) replaces missing values.
  template <class Fill>
  void complete(const Columns& encoded, const Fill& fill) {
    fills.clear();
    for (std::int32_t column : columns) fills.push_back(fill(column));
    find_runs_in(encoded);
  }
  void find_runs_in(const Columns& encoded) {
    runs.resize(encoded.any_levels() ? columns.size() : 0);
    if (!runs.empty()) find_runs(encoded, start.data(), n_vectors(), columns.data(), runs.data());
  }

  LinearTest test() const {
    return {n_vectors(),  start.data(),   columns.data(), coefs.data(),
            fills.data(), offsets.data(), runs.data()};
  }
};

// The hyperplane coef . x <= threshold from a dense vector.
inline Split hyperplane(const std::vector<double>& coef, double threshold, double score) {
  Split split;
  for (std::size_t j = 0; j < coef.size(); ++j) split.add(static_cast<int>(j), coef[j]);
  split.end_vector(threshold);
  split.score = score;
  return split;
}

// The same with the largest coefficient scaled to 1, for readability.
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
