// Forest searches: a fresh random subset of features at every node.
#pragma once

#include "criteria/best_possible.hpp"
#include "search/drawn_columns.hpp"
#include "search/view_search.hpp"

namespace aslant {

// Number of features that a node may read; 0: the square root of all.
struct FeatureShare {
  double wanted = 0.0;
  double of(int n_features) const;
};

// The best of several lines, or a random threshold on each.
class LineContest {
 public:
  LineContest(const NodeView& node, bool random_thresholds, Rng& rng)
      : search_(node.rows(), node.criterion(), node.limits()),
        n_rows_(node.n_rows()),
        expands_(node.n_rows() <= kFewRows && !(node.rows().label && node.rows().countable)),
        random_(random_thresholds),
        rng_(rng),
        enough_(best_possible(node.rows(), node.criterion(), node.limits())) {}

  // Whether this line, or this column, is the best so far. `order`: see ChildLimits.
  bool enter(const double* values, double tolerance, int order = 0);
  bool enter(const DrawnColumns& columns, int i, int order = 0);

  bool found() const { return found_; }
  bool settled() const { return found_ && best_.score >= enough_; }  // no line can be better
  double score() const { return best_.score; }
  double threshold() const { return best_.alpha; }

 private:
  // Small nodes have many ties between features. Sums that are not counts must then round as those
  // of a dense table, so that the same feature wins.
  static constexpr std::size_t kFewRows = 256;

  bool keep_better(const std::optional<LineOptimum>& line);

  LineSearch search_;
  std::size_t n_rows_;
  bool expands_;  // columns of a sparse table
  bool random_;
  Rng& rng_;
  double enough_;
  LineOptimum best_{0.0, kAnyScore};
  bool found_ = false;
};

// Single features; in a share of the nodes also a ridge_direction.
// Traits: both targets; reads sparse tables; does not decide; random; ViewSearch.
// Reads: the drawn features, target-encoded categories, targets, weights, limits.
// Writes: hyperplanes or level subsets; score = gain; no legacy.
class ForestSplit : public ViewSearch {
 public:
  struct Settings {
    FeatureShare features;
    double oblique_share = 0.5;
    double ridge = 0.01;
    bool random_thresholds = false;
    std::vector<int> sign;  // by column: see AxisParallel
  };
  explicit ForestSplit(Settings settings) : settings_(std::move(settings)) {}
  const Settings& settings() const { return settings_; }

  bool find_in(const NodeView& node, const SearchContext& context, Split& split) const override;
  SearchTraits traits() const override { return {false, true}; }  // reads sparse tables

 private:
  Settings settings_;
};

// Random sparse combinations of features.
// Traits: both targets; reads sparse tables; does not decide; random; ViewSearch.
// Reads: the drawn features, target-encoded categories, targets, weights, limits.
// Writes: hyperplanes; score = gain; no legacy.
class RandomProjection : public ViewSearch {
 public:
  struct Settings {
    FeatureShare features;  // half the number of combinations
    double density = 0.0;   // features per combination, as a share of all; 0: three
    bool binary = true;     // coefficients +1 and -1; else uniform
    bool random_thresholds = false;
    std::vector<int> sign;  // by column: see AxisParallel
  };
  explicit RandomProjection(Settings settings) : settings_(std::move(settings)) {}
  const Settings& settings() const { return settings_; }

  bool find_in(const NodeView& node, const SearchContext& context, Split& split) const override;
  SearchTraits traits() const override { return {false, true}; }  // reads sparse tables

 private:
  int terms(int n_features, Rng& rng) const;

  Settings settings_;
};

}  // namespace aslant
