// One tree of gradient boosting: grown best-first on gradients and hessians.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "boosting/binned_features.hpp"
#include "boosting/direction.hpp"
#include "boosting/feature_split.hpp"
#include "boosting/gain.hpp"
#include "boosting/histogram.hpp"

namespace aslant {

struct BoostingSettings {
  SplitRules rules;
  std::int64_t max_leaf_nodes = 31;  // 0: no limit
  std::int64_t max_depth = -1;       // -1: no limit
  double max_features = 1.0;         // fraction of the features that a node searches
  double learning_rate = 0.1;
  DirectionSettings directions;
  std::vector<std::int8_t> monotonic;                // by feature
  std::vector<std::vector<int>> interaction_groups;  // of features; empty: no constraint
};

// The arrays of a tree, nodes in preorder: see aslant.tree.Tree.
struct BoostedTree {
  std::vector<std::int32_t> children, row_start = {0}, coef_column;
  std::vector<std::int64_t> coef_start = {0}, n_node_samples;
  std::vector<double> coef_value, coef_fill, offset, value, node_weight, impurity;
  std::vector<std::uint32_t> leaf_begin, leaf_end;  // of a leaf's rows in `rows` of the grower

  bool is_leaf(std::size_t node) const { return children[2 * node] < 0; }
};

class BoostingGrower {
 public:
  // Buffers, used again by later trees.
  struct Memory {
    std::vector<std::uint32_t> rows, moved;
    std::vector<std::uint8_t> is_left;
    std::vector<std::unique_ptr<Histogram>> histograms;
    DirectionFinder::Memory directions;
  };

  BoostingGrower(BinnedFeatures& binned, const BoostingSettings& settings, ThreadPool& pool,
                 Supervisor& supervisor, Memory& memory);

  // `weight` may be empty. The key decides all draws of the tree.
  BoostedTree grow(const Derivatives* of_row, const std::vector<double>& weight, std::uint64_t key);

  // All rows, those of a leaf of the last tree side by side.
  const std::vector<std::uint32_t>& rows() const { return memory_.rows; }
  std::int64_t n_directions() const { return n_directions_; }

 private:
  struct Node {
    std::size_t begin = 0, end = 0;  // of its rows
    int depth = 0;
    std::uint64_t key = 0;
    SplitNode sums;
    std::vector<int> groups;  // interaction groups that its path allows
    std::unique_ptr<Histogram> histogram;
    const Histogram* sibling = nullptr;  // to subtract from `histogram` before it is searched
    FeatureSplit split;
    ObliqueSplit oblique;  // wins if found
    int child[2] = {-1, -1};

    std::size_t n_rows() const { return end - begin; }
  };

  void start(const Derivatives* of_row, std::uint64_t key);
  void search(int node);
  void search_direction(Node& node);
  void split(int node, bool is_last);
  void divide(int node);
  std::size_t partition(Node& node);
  void test(const FeatureSplit& split, const std::uint32_t* rows, std::size_t begin,
            std::size_t end, std::uint8_t* is_left) const;
  void bound(const Node& parent, Node& left, Node& right) const;
  void build_histograms(Node& parent, Node& left, Node& right);
  bool may_split(const Node& node) const;
  std::vector<int> groups_below(const Node& node) const;
  std::vector<int> searched_features(const Node& node) const;
  std::vector<int> direction_features(const Node& node) const;
  std::unique_ptr<Histogram> new_histogram();
  void release(Node& node);

  void write(int node, BoostedTree& tree, const std::vector<double>& weight) const;
  void write_test(const Node& node, BoostedTree& tree) const;
  void write_number(const Node& node, BoostedTree& tree) const;
  void write_category(const Node& node, BoostedTree& tree) const;

  BinnedFeatures& binned_;
  const BoostingSettings& settings_;
  ThreadPool& pool_;
  Supervisor& supervisor_;
  HistogramBuilder histograms_;
  FeatureSplitFinder features_;
  DirectionFinder directions_;
  std::vector<int> direction_features_;  // all that may be in directions
  Memory& memory_;
  std::vector<Node> nodes_;
  std::vector<int> heap_;
  std::int64_t n_directions_ = 0;
};

}  // namespace aslant
