// Many trees on one set of data: growing them, and what they say together.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "grow.hpp"
#include "lanes.hpp"

namespace aslant {

// Which rows each tree is grown on.
struct Bootstrap {
  std::int64_t n_drawn = 0;  // with replacement; 0: all rows, each once
  bool balanced = false;     // classes weigh the same in what each tree has drawn
};

// The rows that the tree of this seed draws from n rows, in the order in which they were drawn.
std::vector<std::uint32_t> drawn_rows(std::uint64_t seed, std::int64_t n_rows,
                                      std::int64_t n_drawn);

// One tree for each seed; none depends on the others or on the number of threads.
// `look_outside(trees_done)` is called now and then from the calling thread.
std::vector<Growth> grow_forest(const std::shared_ptr<const Data>& data, const Rules& rules,
                                const Bootstrap& bootstrap, const Search& search,
                                const StoppingRules& stopping,
                                const std::vector<std::uint64_t>& seeds, int n_threads,
                                std::function<void(std::int64_t)> look_outside);

// Trees as prediction reads them: all nodes in one array, so that a few rows pass all trees while
// they are near. Gives the same leaves as each tree by itself.
class Forest {
 public:
  Forest(int n_features, int width) : n_features_(n_features), width_(width) {}

  // `value` holds what a leaf says, `width` numbers a node.
  void add(const TreeArrays& tree, const double* value);

  static constexpr int kMostRowsTogether = 4096;

  int n_trees() const { return static_cast<int>(root_.size()); }
  int width() const { return width_; }
  int n_features() const { return n_features_; }

  // Adds what the leaves of all trees say of the rows [begin, end) to `sums`, `width` numbers a
  // row. With `drawn`, a bit for each row and tree, rows are not asked of trees that have drawn
  // them, and `n_asked` counts those that were asked.
  void predict(const Table& table, std::int64_t begin, std::int64_t end, double* sums,
               const std::vector<std::vector<bool>>* drawn = nullptr,
               std::int32_t* n_asked = nullptr) const;

  // The leaves of the rows [begin, end), numbered as in the trees: n_trees() for each row.
  void apply(const Table& table, std::int64_t begin, std::int64_t end, std::int32_t* leaf) const;

 private:
  enum class Kind : std::int32_t { number, dense, sparse, general, machine };

  // A test of one number x, coef x <= offset, or whatever else its kind says. Both children of a
  // leaf are the leaf itself, so that rows that have arrived may take further steps with others.
  // Its offset is what it says: the number, if that is all; else where what it says begins among
  // all of that, or -1 - k if it is a one for k and nothing else.
  struct Step {
    double offset = 0.0, coef = 0.0;
    std::int32_t place = 0;  // of the feature, of the test or of the machine
    Kind kind = Kind::number;
    std::int32_t child[2] = {0, 0};
  };
  // A vector. Its terms lie in groups of kLanes, each in the place of the partial sum to which it
  // belongs (lanes.hpp); terms with a coefficient of zero fill the gaps.
  struct Test {
    std::int32_t first = 0, n_groups = 0;
  };
  struct Machine {
    std::int32_t first_test;
    std::vector<double> offset;
    std::vector<std::int32_t> child;
  };

  // What the tests of a tree are.
  enum class Tests : char { single_numbers, planes, any };
  // Rows that are on their way down a tree, those at one node next to each other.
  struct Crowd {
    struct Part {
      std::int32_t step;
      int begin, end;
    };
    explicit Crowd(int n_rows) : order(n_rows), aside(n_rows), value(n_rows) {}
    std::vector<std::int32_t> order, aside;
    std::vector<double> value;
    std::vector<Part> parts;
  };

  void add_leaf(const double* value);
  void add_plane(const TreeArrays& tree, std::int32_t vector);
  void add_machine(const TreeArrays& tree, std::int32_t vector, int n_vectors,
                   const std::int32_t* child);
  std::int32_t add_test(const TreeArrays& tree, std::int32_t vector);
  // The same with a coefficient for every feature, where zeros are not most of them.
  std::int32_t add_dense_test(const TreeArrays& tree, std::int32_t vector);
  bool worth_a_dense_test(std::int64_t n_terms) const { return 4 * n_terms >= n_features_; }
  int stride() const { return (n_features_ + kLanes - 1) / kLanes * kLanes; }  // of a copied row
  double dense_dot(std::int32_t test, const double* x) const;
  double sparse_dot(const Test& test, const double* x) const;
  double dot(const Test& test, const double* x) const;
  std::int32_t child_of(const Step& step, const double* x) const;
  void descend(int tree, const double* block, int n_rows, std::int32_t* at) const;
  void descend_by_node(int tree, const double* block, int n_rows, Crowd& crowd,
                       std::int32_t* at) const;
  void evaluate(const Step& step, std::int32_t node, const double* block, const std::int32_t* row,
                int n, double* value) const;
  int rows_together() const;
  void copy_rows(const Table& table, std::int64_t begin, int n_rows, double* block) const;
  template <class Visit>
  void for_each_leaf(const Table& table, std::int64_t begin, std::int64_t end,
                     const Visit& visit) const;

  int n_features_, width_;
  std::vector<std::int32_t> root_;
  std::vector<Tests> tests_of_;  // a tree
  std::vector<Step> steps_;
  std::vector<double> step_fill_;  // of each step: what stands in for a missing number
  std::vector<Test> tests_;
  std::vector<double> coef_, fill_;  // of their terms
  std::vector<std::int32_t> feature_, level_;
  std::vector<double> dense_coef_, dense_fill_;  // stride() for each dense test
  std::vector<Machine> machines_;
  std::vector<double> values_;
};

}  // namespace aslant
