// The tests a node may be given, and what a message says about each of them.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "search/mml.hpp"
#include "sort_events.hpp"

namespace aslant {

// A feature that varies at the node: a number, or a category of which several levels occur.
struct Attribute {
  int column;               // of the number, or of the category's first level
  int group;                // index of the category, -1 for a number
  std::vector<int> levels;  // those that occur
};

// A set of columns that linear tests may read, the points that the rows form there, and what the
// message says about every such test alike: which features, which of their levels, how far the cut
// is along its direction.
struct TestSpace {
  std::vector<int> attributes;
  std::vector<int> columns;
  double charge = 0.0;
  std::size_t n_points = 0;
  std::vector<const double*> coordinates;  // per column, of every point, in [0, 1]

  // Points that stand for several rows; nothing here if every row is taken for a point.
  std::vector<std::vector<double>> grouped;
  std::vector<std::uint32_t> first, row;  // rows of point p: row[first[p]] to row[first[p + 1] - 1]
};

// A test, and the bits that the message spends on it and on the classes in both children.
struct CandidateTest {
  double bits = std::numeric_limits<double>::infinity();
  std::vector<int> attributes, columns;
  std::vector<double> w;
  double cut = 0.0;
  bool raw = false;  // whether w and cut are in the units of the node, not of the unit cube

  bool exists() const { return std::isfinite(bits); }
};

// A node with what message lengths need: scaled columns, distinct values, the code of its classes.
class MessageNode {
 public:
  MessageNode(const Node& node, const MmlOptions& options, bool is_root);

  const Node& node() const { return node_; }
  const std::vector<Attribute>& attributes() const { return attributes_; }
  // Fewest and most features in a test that the message allows here, and in one that is tried.
  int smallest_test() const;
  int largest_test() const;
  int largest_tried() const {
    return std::max(smallest_test(), std::min(options_.features_tried, largest_test()));
  }
  bool is_category(int attribute) const { return attributes_[attribute].group >= 0; }

  // The space of these attributes and columns, one column for each attribute.
  TestSpace space(std::vector<int> attributes, std::vector<int> columns) const;

  // Bits of direction and classes if the points are cut at w . x <= threshold; infinite where a
  // child would be too small.
  double cut_bits(const TestSpace& space, const std::vector<double>& w, double threshold) const;

  // The best of all cuts along w; w must have unit length.
  CandidateTest best_cut(const TestSpace& space, const std::vector<double>& w) const;

  // The best test of one attribute.
  CandidateTest best_single(int attribute) const;

  // Bits the test saves, against leaving the node a leaf.
  double saving(
      const CandidateTest& test) const;  // A test that was found on a sample of the rows, cut anew.
  CandidateTest cut_again(const CandidateTest& test, const MessageNode& sample) const;

  // The test in the units of the node; nothing if it saves too little, or rounding blurs its cut.
  std::optional<Split> split_worth_making(const CandidateTest& test) const;

 private:
  class GroupingSearch;
  std::optional<Split> split(const CandidateTest& test) const;
  void add_numbers();
  void add_categories();
  void scale(int column);
  double choice_of_attributes(int n) const;
  void count_points(TestSpace& space) const;
  void group_rows(TestSpace& space, const std::vector<std::uint64_t>& key) const;
  bool large_enough(std::int64_t rows0, const std::vector<double>& child0) const;
  double class_bits(const std::vector<double>& child0, std::vector<double>& child1) const;
  void enter(const TestSpace& space, std::size_t point, std::vector<double>& child0,
             std::int64_t& rows0) const;
  CandidateTest sweep(const TestSpace& space, const double* u, double least_gap) const;
  CandidateTest best_threshold(int attribute) const;
  CandidateTest best_grouping(int attribute) const;
  bool has_missing(const Attribute& attribute) const;

  const Node& node_;
  const MmlOptions& options_;
  const bool is_root_;
  LeafCode leaf_code_;
  std::vector<Attribute> attributes_;
  std::vector<std::vector<double>> scaled_;       // per column that varies
  std::vector<double> lowest_, range_;            // per column
  std::vector<std::vector<std::uint32_t>> rank_;  // per column: which of its values a row has
  std::vector<std::size_t> distinct_;             // per column
};

}  // namespace aslant
