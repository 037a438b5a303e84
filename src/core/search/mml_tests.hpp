// Candidate tests of a node and their message lengths.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "line/sweep.hpp"
#include "search/mml.hpp"

namespace aslant {

// A feature that varies at the node: numeric, or a category of which several levels occur.
struct Attribute {
  int column;               // of the numeric feature, or of the category's first level
  int group;                // index of the category, -1: numeric
  std::vector<int> levels;  // that occur
};

// Columns that linear tests may read, the points that the rows form there, and the bits common to
// all such tests: features, levels, position of the cut.
struct TestSpace {
  std::vector<int> attributes;
  std::vector<int> columns;
  double charge = 0.0;
  std::size_t n_points = 0;
  std::vector<const double*> coordinates;  // per column, of every point, in [0, 1]

  // Points that stand for several rows; empty if every row is a point.
  std::vector<std::vector<double>> grouped;
  std::vector<std::uint32_t> first, row;  // rows of point p: row[first[p]] to row[first[p + 1] - 1]
};

// A test, and the bits for it and for the classes of both children.
struct CandidateTest {
  double bits = std::numeric_limits<double>::infinity();
  std::vector<int> attributes, columns;
  std::vector<double> w;
  double cut = 0.0;
  bool raw = false;  // w and cut are in the units of the node, not of the unit cube

  bool exists() const { return std::isfinite(bits); }
};

// A node prepared for message lengths: scaled columns, distinct values, the code of its classes.
class MessageNode {
 public:
  MessageNode(const Node& node, const MmlOptions& options, bool is_root);

  const Node& node() const { return node_; }
  const std::vector<Attribute>& attributes() const { return attributes_; }
  // Feature counts that the message allows here, and the maximum tried.
  int smallest_test() const;
  int largest_test() const;
  int largest_tried() const {
    return std::max(smallest_test(), std::min(options_.features_tried, largest_test()));
  }
  bool is_category(int attribute) const { return attributes_[attribute].group >= 0; }

  // The space of these attributes, read through one column each.
  TestSpace space(std::vector<int> attributes, std::vector<int> columns) const;

  // Bits of direction and classes of the cut w . x <= threshold; infinite if a child is too small.
  double cut_bits(const TestSpace& space, const std::vector<double>& w, double threshold) const;

  // The best cut along w, a unit vector.
  CandidateTest best_cut(const TestSpace& space, const std::vector<double>& w) const;

  CandidateTest best_single(int attribute) const;

  // Bits saved compared with a leaf.
  double saving(const CandidateTest& test) const;
  // The test of a sample with the best cut of all rows.
  CandidateTest cut_again(const CandidateTest& test, const MessageNode& sample) const;

  // The split in node units; nothing if it saves too little or rounding blurs its cut.
  std::optional<Split> split_worth_making(const CandidateTest& test) const;

 private:
  class GroupingSearch;
  class MessagePartition;
  std::optional<Split> split(const CandidateTest& test) const;
  void add_numbers();
  void add_categories();
  void scale(int column);
  double choice_of_attributes(int n) const;
  void count_points(TestSpace& space) const;
  void group_rows(TestSpace& space, const std::vector<std::uint64_t>& key) const;
  bool large_enough(std::int64_t rows0, const std::vector<double>& child0) const;
  // Dimensions of the space that a direction of a test of d columns is stated in.
  int dimensions(std::size_t d) const {
    const bool all = options_.direction == DirectionCode::paper_all && d > 1;
    return static_cast<int>(all ? std::max(d, attributes_.size()) : d);
  }
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
  std::vector<std::vector<double>> scaled_;       // per varying column
  std::vector<double> lowest_, range_;            // per column
  std::vector<std::vector<std::uint32_t>> rank_;  // per column: rank of a row's value
  std::vector<std::size_t> distinct_;             // per column
};

}  // namespace aslant
