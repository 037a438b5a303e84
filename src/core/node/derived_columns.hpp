// Columns derived from those of another node.
#pragma once

#include "node/columns.hpp"

namespace aslant {

using ColumnsPointer = std::shared_ptr<const NodeColumns>;

// Some rows of another node, in the same units and with the same fills.
class SampledColumns : public NodeColumns {
 public:
  SampledColumns(ColumnsPointer base, const std::vector<std::uint32_t>& rows);

  void read(const std::vector<int>& columns, const Positions& rows, double* out) const override;
  std::uint32_t row(std::size_t i) const override { return base_->row(rows_[i]); }
  bool has_table_units() const override { return base_->has_table_units(); }
  int exponent(int column) const override { return base_->exponent(column); }
  double share_present(int column) const override { return base_->share_present(column); }
  bool is_missing(int column, std::size_t i) const override {
    return base_->is_missing(column, rows_[i]);
  }

 protected:
  std::vector<int> written_with(int j) const override;

 private:
  ColumnsPointer base_;
  std::vector<std::uint32_t> rows_;  // of the base
};

// Another node's columns, of which only some vary: the others are zero. A category that loses
// indicators shares the rest as numeric columns.
class RestrictedColumns : public NodeColumns {
 public:
  RestrictedColumns(ColumnsPointer base, const std::vector<int>& columns);

  void read(const std::vector<int>& columns, const Positions& rows, double* out) const override;
  std::uint32_t row(std::size_t i) const override { return base_->row(i); }
  bool has_table_units() const override { return base_->has_table_units(); }
  int exponent(int column) const override { return base_->exponent(column); }
  double fill(int column, const std::vector<double>& weight) const override {
    return base_->fill(column, weight);
  }
  double share_present(int column) const override { return base_->share_present(column); }
  bool is_missing(int column, std::size_t i) const override { return base_->is_missing(column, i); }
  const KnownMoments* known(int column) const override { return base_->known(column); }
  bool is_sparse() const override { return base_->is_sparse(); }
  std::optional<SparseColumn> sparse(int column) const override;
  std::vector<int> varying() const override;

 protected:
  std::vector<int> written_with(int j) const override;
  const double* lent(int j) const override;

 private:
  ColumnsPointer base_;
  std::vector<char> chosen_;
  std::vector<double> zeros_;
};

// Another node's columns, all numeric and standardized; constant ones are zero. Indicators of a
// category are written only if they are read.
class ScaledColumns : public NodeColumns {
 public:
  ScaledColumns(ColumnsPointer base, std::vector<Spread> scales);

  void read(const std::vector<int>& columns, const Positions& rows, double* out) const override;
  std::uint32_t row(std::size_t i) const override { return base_->row(i); }

 protected:
  std::vector<int> written_with(int j) const override;

 private:
  bool varies(int j) const { return scales_[j].deviation > 0.0; }
  double scaled(int j, double x) const {
    return varies(j) ? (x - scales_[j].mean) / scales_[j].deviation : 0.0;
  }

  ColumnsPointer base_;
  std::vector<Spread> scales_;
};

// A column that was computed, or is shared with another node.
struct OwnedColumn {
  const double* values;
  std::optional<KnownMoments> known;
};

// Columns made by a wrapper, all numeric; `values` holds those that are not shared.
class OwnedColumns : public NodeColumns {
 public:
  OwnedColumns(ColumnsPointer base, std::vector<double> values,
               const std::vector<OwnedColumn>& columns);
  // n_rows values for each column, one after the other.
  OwnedColumns(ColumnsPointer base, std::vector<double> values);

  void read(const std::vector<int>& columns, const Positions& rows, double* out) const override;
  std::uint32_t row(std::size_t i) const override { return base_->row(i); }
  const KnownMoments* known(int j) const override { return known_[j] ? &*known_[j] : nullptr; }

 private:
  ColumnsPointer base_;
  std::vector<double> values_;
  std::vector<std::optional<KnownMoments>> known_;
};

}  // namespace aslant
