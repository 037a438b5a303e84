// A hyperplane moving through coefficient space.
//
// Features are standardized by an origin and a unit: z = (x - origin) / unit. A plane is V(x) = a_1
// z_1 + ... + a_d z_d + a_0, with child 0 where V <= 0. Every move, of one coefficient or along any
// direction r, is a line: rows are at V + alpha R, where R is the projection of their features on
// r.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "node/node.hpp"
#include "node/partition.hpp"

namespace aslant {

// Some columns of a node in plane units, computed once for all planes of a search.
//
// If rows are countable, a feature that is mostly at its origin, such as one level of a category,
// is stored sparsely: moving along it costs only the other rows.
class PlaneFeatures {
 public:
  struct Scale {
    double origin = 0.0, unit = 1.0;
  };
  enum class Keep { all_rows, few_rows };

  PlaneFeatures(const Node& node, std::vector<int> columns,
                const std::function<Scale(int column)>& scale_of, Keep keep = Keep::all_rows);

  const Node& node() const { return node_; }
  int size() const { return static_cast<int>(columns_.size()); }
  std::size_t n_rows() const { return node_.n_rows(); }
  const std::vector<int>& columns() const { return columns_; }
  // Values of the m-th feature, or of the constant 1 for m = size(): of all rows, or of those that
  // rows(m) lists.
  const double* values(int m) const { return values_[m].data(); }
  bool has_few_rows(int m) const { return few_[m]; }
  const std::vector<std::uint32_t>& rows(int m) const { return rows_[m]; }
  // The rows that move along a sparse feature.
  MovingRows moving(int m) const {
    return {rows_[m], values(m), gathered_[m].sweep_rows(node_.target().sweep_rows())};
  }
  double value(int m, std::size_t row) const;

  // a_1 z_1 + ... + a_d z_d + a_0 of all rows; a_0 is last.
  void project(const std::vector<double>& a, std::vector<double>& out) const;

  // Converts splits to coefficients in these units, and back; a split's largest coefficient is 1.
  std::vector<double> coefficients(const Split& split) const;
  Split split(const std::vector<double>& a, double score) const;

 private:
  void keep_all(const double* x, const Scale& scale);
  bool keep_few(int column, const Scale& scale);
  bool keep_few(SparseColumn column, const Scale& scale);

  const Node& node_;
  std::vector<int> columns_;
  std::vector<Scale> scale_;
  std::vector<std::vector<double>> values_;
  std::vector<std::vector<std::uint32_t>> rows_;
  std::vector<GatheredRows> gathered_;  // of rows_
  std::vector<char> few_;
};

class MovingPlane {
 public:
  explicit MovingPlane(const PlaneFeatures& features)
      : features_(features),
        search_(features.node().line_search()),
        a_(features.size() + 1, 0.0),
        V_(features.n_rows()) {}

  const std::vector<double>& coefficients() const { return a_; }
  const std::vector<double>& V() const { return V_; }

  void set(std::vector<double> a);

  // The best position on the line V + alpha R; scores below `floor` may be missed.
  std::optional<LineOptimum> along(const double* R, double floor = kAnyScore,
                                   bool ignore_sign = false) const {
    return search_.along(V_.data(), R, tolerance_, floor, ignore_sign);
  }
  // The same along the m-th feature, or the constant.
  std::optional<LineOptimum> along(int m, double floor = kAnyScore);
  // The best parallel plane: V <= alpha.
  std::optional<LineOptimum> parallel() const { return search_.threshold(V_.data(), tolerance_); }

  // Moves coefficient m, or the constant, by alpha.
  void move(int m, double alpha) {
    a_[m] += alpha;
    if (features_.has_few_rows(m))
      advance_few(m, alpha);
    else
      advance(features_.values(m), alpha);
  }
  // Moves along r, whose projection is R.
  void move(const std::vector<double>& r, const double* R, double alpha) {
    for (std::size_t m = 0; m < a_.size(); ++m) a_[m] += alpha * r[m];
    advance(R, alpha);
  }

  // Rescales: only ratios of the coefficients matter.
  void divide_by(double length);

  // The rows in child 0, of this plane or after a move along R.
  Part child0() const {
    return part_where(target(), [this](std::size_t i) { return V_[i] <= 0.0; });
  }
  Part child0(const double* R, double alpha) const {
    return part_where(target(), [&](std::size_t i) { return V_[i] + alpha * R[i] <= 0.0; });
  }

  Split split(double score) const { return features_.split(a_, score); }

 private:
  const NodeTarget& target() const { return features_.node().target(); }
  void advance(const double* R, double alpha);
  void advance_few(int m, double alpha);
  bool refreshed();
  void refresh();

  const PlaneFeatures& features_;
  LineSearch search_;
  std::vector<double> a_, V_;
  double tolerance_ = 0.0;
  int moves_ = 0;
  ClassCounts child0_;  // cached for searches over few rows
  bool is_counted_ = false;
};

}  // namespace aslant
