// Randomly drawn features, read only once they are drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "node/node_view.hpp"
#include "search/view_search.hpp"
#include "support/rng.hpp"
#include "support/workspace.hpp"

namespace aslant {

// 0..n-1 in random order, a function of the generator alone, not of earlier draws of the thread.
class RandomOrder {
 public:
  RandomOrder(int n, Rng& rng);
  ~RandomOrder();
  RandomOrder(const RandomOrder&) = delete;
  RandomOrder& operator=(const RandomOrder&) = delete;

  int left() const { return n_ - drawn_; }
  int next();

 private:
  // `order` is the identity whenever nothing is drawn from it.
  struct Buffers {
    std::vector<int> order, exchanges;
  };

  int n_, drawn_ = 0;
  Rng& rng_;
  Buffers& buffers_;
};

// The values of one feature at a node. A category is target-encoded, by class frequency or mean:
// for two classes the best subset is a run of that order (Breiman et al. 1984, theorem 4.5).
struct DrawnColumn {
  int feature = 0;
  std::size_t first_score = 0;  // of its encoded levels
  std::size_t place = 0;        // of its values
};

// The drawn features that are not constant at the node.
class DrawnColumns {
 public:
  DrawnColumns(const NodeView& node, Rng& rng)
      : DrawnColumns(node, rng, Workspace::get<Buffers>()) {
    values_.clear();
    scores_.clear();
    drawn_.clear();
  }

  // Draws until `wanted` columns are found or no feature is left.
  void draw(int wanted, RandomOrder& order);

  int size() const { return static_cast<int>(drawn_.size()); }
  // The column of the table; the first one of a category.
  int column(int i) const { return node_.first_column(drawn_[i].feature); }

  // The values of all rows or, in a sparse table, those that are not zero.
  bool are_sparse() const { return sparse_; }
  const double* values(int i) const { return values_.data() + drawn_[i].place; }
  const SparseColumn& nonzero(int i) const { return nonzero_[i]; }
  // Copies the i-th column to `out`, every `step`-th row.
  void copy(int i, std::size_t step, double* out) const;
  // Adds coef times the i-th column to a projection of all rows.
  void add_multiple(int i, double coef, std::vector<double>& projection) const;

  // Adds coef times the i-th column to a hyperplane.
  void add_term(int i, double coef, Split& split) const;
  // Writes the test of the i-th column alone; for a category, a subset of levels.
  void make_test_of_one(int i, double threshold, Split& split) const;

 private:
  struct Buffers {
    std::vector<double> values, scores, level_weight;
    std::vector<DrawnColumn> drawn;
    std::vector<int> features;
    std::vector<SparseColumn> nonzero;
  };
  DrawnColumns(const NodeView& node, Rng& rng, Buffers& buffers)
      : node_(node),
        rng_(rng),
        sparse_(node.is_sparse()),
        values_(buffers.values),
        scores_(buffers.scores),
        level_weight_(buffers.level_weight),
        drawn_(buffers.drawn),
        features_(buffers.features),
        nonzero_(buffers.nonzero) {}

  void draw_nonzero(int wanted, RandomOrder& order);
  void score_levels(const DrawnColumn& column, double* codes);
  bool varies(const double* values) const;

  const NodeView& node_;
  Rng& rng_;
  bool sparse_;
  std::vector<double>&values_, &scores_, &level_weight_;
  std::vector<DrawnColumn>& drawn_;
  std::vector<int>& features_;
  std::vector<SparseColumn>& nonzero_;  // by column; may hold more, to be used again
};

}  // namespace aslant
