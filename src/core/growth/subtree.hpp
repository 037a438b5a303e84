// The part of a growing tree that one task grows.
#pragma once

#include <memory>
#include <vector>

#include "growth/grow.hpp"
#include "support/chunked_array.hpp"

namespace aslant {

// A node whose subtree is still to be grown. It lives until its subtree is started.
struct GrowingNode {
  std::uint32_t begin = 0, end = 0;  // its rows, as a range of the shared permutation
  std::int32_t parent = -1;          // in its Subtree; -1: none
  int depth = 0;
  std::uint64_t key = 0;  // of its random streams: a function of the seed and the path to the node
  double weight = 0.0, impurity = 0.0;
  std::vector<double> statistics;
  std::shared_ptr<const Legacy> legacy;  // passed on by the parent's split

  std::size_t n_rows() const { return end - begin; }
};

// Nodes in depth-first preorder. Subtrees grown by other tasks are grafted in at the end, so the
// tree does not depend on their order.
class Subtree {
 public:
  explicit Subtree(GrowingNode top) : top_(std::move(top)) { top_.parent = -1; }
  const GrowingNode& top() const { return top_; }

  // Appends a node, with its test unless it is a leaf, and returns its index.
  std::int32_t add(const GrowingNode& node, const Split* split);
  // Appends a subtree below `parent`.
  void graft(Subtree& subtree, std::int32_t parent) {
    grafts_.push_back({parent, n_nodes(), &subtree});
  }

  // Assembles this subtree and its grafts, consuming them; without `rows` and `hyperplanes`.
  GrownTree finish();

 private:
  struct Graft {
    std::int32_t parent;
    std::size_t before;  // index of the next node of this subtree
    Subtree* subtree;
  };
  // A range of a subtree's nodes that stays contiguous in the tree.
  struct Segment {
    Subtree* subtree;
    std::size_t begin, end;  // nodes
    std::size_t first_vector, n_vectors;
    std::size_t first_term, n_terms;
  };

  std::size_t n_nodes() const { return parent_.size(); }
  std::vector<Segment> segments(std::vector<std::int32_t>& parent);

  GrowingNode top_;
  std::vector<Graft> grafts_;
  // Per node.
  ChunkedArray<std::int32_t> parent_, n_vectors_;
  ChunkedArray<std::uint32_t> n_node_samples_, row_begin_;
  ChunkedArray<double> statistics_, impurity_, gain_;
  // Per vector of their tests.
  ChunkedArray<std::int32_t> n_terms_;
  ChunkedArray<double> offset_;
  // Per term of these.
  ChunkedArray<std::int32_t> column_;
  ChunkedArray<double> coef_, fill_;
};

}  // namespace aslant
