// A lightweight node for searches at very many small nodes: reads a feature only when drawn, into
// the caller's memory, and allocates nothing for the others.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "node/node.hpp"

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
  virtual int n_levels(int feature) const = 0;  // 0: numeric

  // False if a feature is known to be constant without reading it.
  virtual bool may_vary(int) const { return true; }

  // Values of some features, n_rows() for each: numbers without missing values, or codes of levels,
  // -1 for a missing one.
  virtual void read(const int* features, int count, double* out) const = 0;

  // Whether the table is sparse and numeric: its features are then read as their nonzero rows.
  virtual bool is_sparse() const { return false; }
  virtual void read_nonzero(int feature, SparseColumn& out) const = 0;

 protected:
  NodeView(CriterionKind criterion, const ChildLimits& limits)
      : criterion_(criterion), limits_(limits) {}

  SweepRows rows_;

 private:
  CriterionKind criterion_;
  const ChildLimits& limits_;
};

// First column and number of levels of each feature.
struct FeatureMap {
  explicit FeatureMap(const Columns& columns);
  std::vector<int> first_column, n_levels;
};

// The rows of a growing tree, read from the caller's table. Values must not be extreme: see Data. A
// thread uses one such node at a time.
class NodeInPlace : public NodeView {
 public:
  NodeInPlace(const Problem& problem, const FeatureMap& features, const std::uint32_t* rows,
              std::size_t n_rows, const double* statistics);

  static bool can_read(const Features& features) { return !features.any_extreme(); }

  int n_features() const override { return static_cast<int>(features_.n_levels.size()); }
  int first_column(int feature) const override { return features_.first_column[feature]; }
  int n_levels(int feature) const override { return features_.n_levels[feature]; }
  void read(const int* features, int count, double* out) const override;

  // A feature of a sparse table without a stored value in any row does not vary.
  bool may_vary(int feature) const override {
    return seen_ == nullptr || seen_->node_of[feature] == seen_->node;
  }
  bool is_sparse() const override { return stored_ != nullptr; }
  void read_nonzero(int feature, SparseColumn& out) const override;

  // The fill for missing values of a column.
  double fill(int column) const;

 private:
  // The last node, from 1, with a stored value of each feature.
  struct SeenFeatures {
    std::vector<std::uint64_t> node_of;
    std::uint64_t node = 0;
  };

  void see_features();
  template <class Visit>
  void for_each_stored(int feature, const Visit& visit) const;
  void fill_missing(int feature, double* values) const;

  const Problem& problem_;
  const FeatureMap& features_;
  const std::uint32_t* row_;
  // Of a sparse table.
  const StoredColumns* stored_ = nullptr;
  std::optional<RowPositions> positions_;
  const SeenFeatures* seen_ = nullptr;  // in small nodes
};

// A view of an ordinary Node.
class NodeWithColumns : public NodeView {
 public:
  explicit NodeWithColumns(const Node& node);

  int n_features() const override;
  int first_column(int feature) const override;
  int n_levels(int feature) const override;
  void read(const int* features, int count, double* out) const override;
  bool is_sparse() const override {
    return node_.columns().is_sparse() && node_.columns().groups().empty();
  }
  void read_nonzero(int feature, SparseColumn& out) const override;

 private:
  const CategoryGroup* group(int feature) const;

  const Node& node_;
};

}  // namespace aslant
