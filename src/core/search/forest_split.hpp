// The searches of a forest: few features, drawn anew at every node.
#pragma once

#include "best_possible.hpp"
#include "cut.hpp"
#include "search/drawn_columns.hpp"
#include "view_search.hpp"

namespace aslant {

// How many features a node may look at: a number, or with 0 the square root of all.
struct FeatureShare {
  double wanted = 0.0;
  double of(int n_features) const;
};

// What all of them do: the best of several lines, or a random place on each.
class LineContest {
 public:
  LineContest(const NodeView& node, bool random_thresholds, Rng& rng)
      : cutter_(node),
        random_(random_thresholds),
        rng_(rng),
        enough_(best_possible(node.rows(), node.criterion(), node.limits())) {}

  // Whether this line is the best so far.
  bool enter(const double* values, double tolerance);

  bool found() const { return found_; }
  // Whether no other line can be better.
  bool settled() const { return found_ && best_.score >= enough_; }
  double score() const { return best_.score; }
  double threshold(const double* values) const { return cutter_.threshold(best_, values); }

 private:
  Cutter cutter_;
  bool random_;
  Rng& rng_;
  double enough_;
  Cut best_;
  bool found_ = false;
};

// Single features; in a share of the nodes a direction of ridge_direction as well.
class ForestSplit : public ViewSearch {
 public:
  struct Settings {
    FeatureShare features;
    double oblique_share = 0.5;
    double ridge = 0.01;
    bool random_thresholds = false;
  };
  explicit ForestSplit(const Settings& settings) : settings_(settings) {}

  bool find_in(const NodeView& node, const SearchContext& context,
               Hyperplane& split) const override;

 private:
  Settings settings_;
};

// Random sparse combinations of features.
class RandomProjection : public ViewSearch {
 public:
  struct Settings {
    FeatureShare features;  // half the number of combinations
    double density = 0.0;   // features in a combination, as a share of all; 0: three
    bool binary = true;     // coefficients +1 and -1; else uniform
    bool random_thresholds = false;
  };
  explicit RandomProjection(const Settings& settings) : settings_(settings) {}

  bool find_in(const NodeView& node, const SearchContext& context,
               Hyperplane& split) const override;

 private:
  int terms(int n_features, Rng& rng) const;

  Settings settings_;
};

}  // namespace aslant
