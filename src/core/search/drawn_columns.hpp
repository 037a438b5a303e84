// Features drawn at random, read only once they are drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "node_view.hpp"
#include "rng.hpp"
#include "view_search.hpp"

namespace aslant {

// Numbers below n in random order, each once. What was drawn depends on the generator alone, not on
// what the thread drew before.
class RandomOrder {
 public:
  RandomOrder(int n, Rng& rng);
  ~RandomOrder();
  RandomOrder(const RandomOrder&) = delete;
  RandomOrder& operator=(const RandomOrder&) = delete;

  int left() const { return n_ - drawn_; }
  int next();

 private:
  int n_, drawn_ = 0;
  Rng& rng_;
};

// The values of one feature at a node. A category takes part with a number for each of its levels:
// how often a class, or how high the target, is among the rows of that level. The best subset of
// levels for two classes is a run of that order (Breiman et al. 1984, theorem 4.5).
struct DrawnColumn {
  int feature = 0;
  std::size_t first_score = 0;  // of the numbers of its levels
  std::size_t place = 0;        // of its values
};

// The drawn features that are not constant at the node.
class DrawnColumns {
 public:
  DrawnColumns(const NodeView& node, Rng& rng) : node_(node), rng_(rng) {
    values_.clear();
    scores_.clear();
    drawn_.clear();
  }

  // Draws until there are `wanted` columns, or no feature is left.
  void draw(int wanted, RandomOrder& order);

  int size() const { return static_cast<int>(drawn_.size()); }
  const double* values(int i) const { return values_.data() + drawn_[i].place; }

  // Adds a term, coef times the i-th column, to a hyperplane.
  void add_term(int i, double coef, Hyperplane& plane) const;
  // The test of the i-th column alone with the hyperplane's threshold; of a category, one of
  // membership.
  void make_test_of_one(int i, Hyperplane& plane) const;

 private:
  void score_levels(const DrawnColumn& column, double* codes);
  bool varies(const double* values) const;

  const NodeView& node_;
  Rng& rng_;
  static thread_local std::vector<double> values_, scores_;
  static thread_local std::vector<DrawnColumn> drawn_;
};

}  // namespace aslant
