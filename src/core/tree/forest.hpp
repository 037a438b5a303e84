// Prediction of many trees.
#pragma once

#include <cstdint>
#include <vector>

#include "tree/lanes.hpp"
#include "tree/tree.hpp"

namespace aslant {

// Trees for prediction: all nodes in one array, so a block of rows stays in cache while it passes
// all trees. Gives the same leaves as each tree by itself.
class Forest {
 public:
  Forest(int n_features, int width) : n_features_(n_features), width_(width) {}

  // `value` holds the leaf values, `width` per node.
  void add(const TreeArrays& tree, const double* value);

  static constexpr int kMostRowsTogether = 4096;

  int n_trees() const { return static_cast<int>(root_.size()); }
  int width() const { return width_; }
  int n_features() const { return n_features_; }

  // Adds the leaf values of all trees for rows [begin, end) to `sums`, `width` per row. `drawn`, a
  // bit per row and tree, restricts this to out-of-bag trees, which `n_asked` counts.
  void predict(const Table& table, std::int64_t begin, std::int64_t end, double* sums,
               const std::vector<std::vector<bool>>* drawn = nullptr,
               std::int32_t* n_asked = nullptr) const;

  // The leaves of the rows [begin, end), numbered as in the trees: n_trees() per row.
  void apply(const Table& table, std::int64_t begin, std::int64_t end, std::int32_t* leaf) const;

 private:
  enum class Kind : std::int32_t { number, dense, sparse, general, machine };

  // A test coef x <= offset of one numeric feature, or another kind. Both children of a leaf are
  // the leaf itself, so rows that have arrived may move on with others. Offset of a leaf: a value
  // (width 1), an index into `values_`, or -1 - k for a one-hot k.
  struct PackedNode {
    double offset = 0.0, coef = 0.0;
    std::int32_t place = 0;  // index of the feature, test or machine
    Kind kind = Kind::number;
    std::int32_t child[2] = {0, 0};
  };
  // A vector. Its terms are in groups of kLanes, each in the lane of its partial sum (lanes.hpp);
  // zero coefficients fill the gaps.
  struct Test {
    std::int32_t first = 0, n_groups = 0;
  };
  struct Machine {
    std::int32_t first_test;
    std::vector<double> offset;
    std::vector<std::int32_t> child;
  };

  // The kinds of tests in a tree.
  enum class Tests : char { single_numbers, planes, any };
  // Rows descending a tree, grouped by node.
  struct RowBatch {
    struct Part {
      std::int32_t node;
      int begin, end;
    };
    explicit RowBatch(int n_rows) : order(n_rows), aside(n_rows), value(n_rows) {}
    std::vector<std::int32_t> order, aside;
    std::vector<double> value;
    std::vector<Part> parts;
  };

  void add_leaf(const double* value);
  void add_plane(const TreeArrays& tree, std::int32_t vector);
  void add_machine(const TreeArrays& tree, std::int32_t vector, int n_vectors,
                   const std::int32_t* child);
  std::int32_t add_test(const TreeArrays& tree, std::int32_t vector);
  // The same with a coefficient for every feature, if zeros do not dominate.
  std::int32_t add_dense_test(const TreeArrays& tree, std::int32_t vector);
  bool worth_a_dense_test(std::int64_t n_terms) const { return 4 * n_terms >= n_features_; }
  int stride() const { return (n_features_ + kLanes - 1) / kLanes * kLanes; }  // of a copied row
  double dense_dot(std::int32_t test, const double* x) const;
  double sparse_dot(const Test& test, const double* x) const;
  double dot(const Test& test, const double* x) const;
  std::int32_t child_of(const PackedNode& node, const double* x) const;
  void descend(int tree, const double* block, int n_rows, std::int32_t* at) const;
  void descend_by_node(int tree, const double* block, int n_rows, RowBatch& batch,
                       std::int32_t* at) const;
  void evaluate(const PackedNode& node, std::int32_t id, const double* block,
                const std::int32_t* row, int n, double* value) const;
  int rows_together() const;
  void copy_rows(const Table& table, std::int64_t begin, int n_rows, double* block) const;
  template <class Visit>
  void for_each_leaf(const Table& table, std::int64_t begin, std::int64_t end,
                     const Visit& visit) const;

  int n_features_, width_;
  std::vector<std::int32_t> root_;
  std::vector<Tests> tests_of_;  // per tree
  std::vector<PackedNode> nodes_;
  std::vector<double> node_fill_;  // per node: replaces a missing value
  std::vector<Test> tests_;
  std::vector<double> coef_, fill_;  // of their terms
  std::vector<std::int32_t> feature_, level_;
  std::vector<double> dense_coef_, dense_fill_;  // stride() for each dense test
  std::vector<Machine> machines_;
  std::vector<double> values_;
};

}  // namespace aslant
