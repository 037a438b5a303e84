// Any search under constraints on features: monotone predictions, groups of features, costs.
#pragma once

#include <vector>

#include "search/axis_parallel.hpp"
#include "search/wrapper.hpp"

namespace aslant {

struct ConstraintOptions {
  // By column: 1 the prediction must not fall as the column grows, -1 not rise, 0 free. Empty: no
  // such constraint.
  std::vector<int> sign;
  // By column: the feature it belongs to.
  std::vector<int> feature;
  // Groups of features; the features of a path lie in one of them. Empty: no such constraint.
  std::vector<std::vector<char>> groups;
  // By depth: the features that a test may read; the last entry is for all deeper nodes.
  std::vector<std::vector<char>> allowed;
  // By feature: cost of reading it, in units of the score. Empty: none.
  std::vector<double> cost;
  bool pay_per_test = false;  // else once on a path
  int max_features = 0;       // of a test; 0: no limit
  // The test of the root in input units: coefficients by column, and the threshold. Empty: none.
  std::vector<double> root_coef;
  double root_threshold = 0.0;
};

// Signs: no constrained coefficient may move a row to the child of lower mean target as its column
// moves in its direction. A test loses the coefficients that would, gets the best threshold along
// the others, and competes with the best test of one feature. That makes one test monotone; the
// order of all leaves is established afterwards (tree/ordered_values.hpp). A test that breaks
// another rule loses the features that break it, and the search runs again on the others.
//
// Traits: as the inner search; Wrapper.
// Reads: the columns that the path allows; children of the split.
// Writes: the inner split and its score; legacy: the features of the path, and the inner legacy.
class Constrained : public Wrapper {
 public:
  Constrained(SearchPointer search, ConstraintOptions options)
      : Wrapper(std::move(search)), options_(std::move(options)), axis_parallel_(options_.sign) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  SearchTraits traits() const override { return search_->traits(); }

 private:
  struct Path;
  using Features = std::vector<char>;  // by feature

  Features open_features(const Path* path, int depth) const;
  std::optional<Split> forced_root(const NodePointer& node) const;
  std::optional<Split> cheapest(const NodePointer& node, const Features& open, const Path* path,
                                const SearchContext& context) const;
  std::optional<Split> lawful(const NodePointer& node, Features open, const Path* path,
                              const SearchContext& context) const;
  std::optional<Split> repaired(const NodePointer& node, const Split& split, const Features& wrong,
                                const Features& open, const SearchContext& context) const;
  std::optional<Split> on_open(const Search& search, const NodePointer& node, const Features& open,
                               const SearchContext& context) const;
  Features wrong_signs(const Node& node, const Split& split) const;
  Features beyond_rules(const Node& node, const Split& split, const Path* path) const;
  void add_outside_group(const Node& node, const Split& split, const Path* path,
                         Features& found) const;
  void add_beyond_limit(const Node& node, const Split& split, Features& found) const;
  double cost_of(const Split& split, const Path* path) const;
  double cost_of(int feature, const Path* path) const;
  Features features_of(const Split& split) const;
  int n_features() const;
  int sign(int column) const { return options_.sign.empty() ? 0 : options_.sign[column]; }

  ConstraintOptions options_;
  AxisParallel axis_parallel_;
};

}  // namespace aslant
