// A node as a search sees it that runs at very many nodes, most of them small: a feature is read
// when it was drawn, into memory of the reader, and nothing is allocated for the others.
#pragma once

#include <cstdint>
#include <vector>

#include "node.hpp"

namespace aslant {

class NodeView {
 public:
  virtual ~NodeView() = default;

  std::size_t n_rows() const { return rows_.n; }
  const SweepRows& rows() const { return rows_; }
  CriterionKind criterion() const { return criterion_; }
  const ChildLimits& limits() const { return limits_; }

  virtual int n_features() const = 0;
  virtual int first_column(int feature) const = 0;
  virtual int n_levels(int feature) const = 0;  // 0: a number

  // Values of some features, n_rows() for each: numbers, none missing, or codes of levels, -1 for
  // a missing one.
  virtual void read(const int* features, int count, double* out) const = 0;

 protected:
  NodeView(CriterionKind criterion, const ChildLimits& limits)
      : criterion_(criterion), limits_(limits) {}

  SweepRows rows_;

 private:
  CriterionKind criterion_;
  const ChildLimits& limits_;
};

// Where the columns of each feature begin, and how many levels it has.
struct FeatureMap {
  explicit FeatureMap(const Columns& columns);
  std::vector<int> first_column, n_levels;
};

// The rows of a growing tree, read from the caller's table. Values must not be extreme: see Data.
// A thread looks at one such node at a time.
class NodeInPlace : public NodeView {
 public:
  NodeInPlace(const Problem& problem, const FeatureMap& features, const std::uint32_t* rows,
              std::size_t n_rows, const double* statistics);

  static bool can_read(const Data& data);

  int n_features() const override { return static_cast<int>(features_.n_levels.size()); }
  int first_column(int feature) const override { return features_.first_column[feature]; }
  int n_levels(int feature) const override { return features_.n_levels[feature]; }
  void read(const int* features, int count, double* out) const override;

  // What stands in for missing values of a column.
  double fill(int column) const;

 private:
  void set_classes(const double* statistics);
  void set_numbers(const double* statistics);
  void set_weights();
  void fill_missing(int feature, double* values) const;

  const Problem& problem_;
  const FeatureMap& features_;
  const std::uint32_t* row_;
};

// A node that was made for any search.
class NodeWithColumns : public NodeView {
 public:
  explicit NodeWithColumns(const Node& node);

  int n_features() const override;
  int first_column(int feature) const override;
  int n_levels(int feature) const override;
  void read(const int* features, int count, double* out) const override;

 private:
  const CategoryGroup* group(int feature) const;

  const Node& node_;
};

}  // namespace aslant
