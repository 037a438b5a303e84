// The rows of a growing node, read from the caller's table.
//
// Products and sums of values near the limits of double precision overflow or vanish. A column with
// values beyond 1e100 or below 1e-100 is scaled by a power of two, which is exact, and the split is
// scaled back (in_input_units). Missing values take the mean of the node or of the training set.
#pragma once

#include "node/columns.hpp"
#include "node/node_facts.hpp"

namespace aslant {

class TableColumns : public NodeColumns {
 public:
  TableColumns(std::shared_ptr<const Problem> problem, const std::uint32_t* rows,
               std::size_t n_rows, double total_weight);

  // Some rows of a node with aggregated facts only.
  TableColumns(std::shared_ptr<const Problem> problem, const std::uint32_t* rows,
               std::size_t n_rows, const NodeFacts& facts);

  void read(const std::vector<int>& columns, const Positions& rows, double* out) const override;
  std::uint32_t row(std::size_t i) const override { return rows_[i]; }
  bool has_table_units() const override { return true; }
  int exponent(int column) const override { return unit(column).exponent; }
  double fill(int column, const std::vector<double>& weight) const override;
  double share_present(int column) const override;
  bool is_missing(int column, std::size_t i) const override;

  // Columns are contiguous here, so this is faster than reading the table.
  bool send(const LinearTest& test, std::int32_t* child) const override;

 protected:
  std::vector<int> written_with(int j) const override;

  double fill_or_scale(int column, double value) const;

  const Problem& problem() const { return *problem_; }

 private:
  // The scale of a column and its fill for missing values.
  struct Unit {
    double fill = 0.0;  // in the units of the column
    double share_present = 1.0;
    int exponent = 0;
  };

  TableColumns(std::shared_ptr<const Problem> problem, const std::uint32_t* rows,
               std::size_t n_rows);

  template <class Out>
  void gather(int column, const std::uint32_t* rows, std::size_t n, Out* out) const;
  void fill_and_scale(int column, bool all_rows, std::size_t n, double* values) const;
  bool needs_unit(int column) const;
  const Unit& unit(int column) const;
  Unit unit_of(int column, const double* values) const;
  Unit unit_from(int column, int exponent, double present, double mean) const;
  void find_groups();
  void fill_group(CategoryGroup& group, double present) const;

  std::shared_ptr<const Problem> problem_;
  std::vector<std::uint32_t> rows_;  // of the table
  double total_weight_ = 0.0;        // of the node
  std::vector<double> mean_;         // of the columns, if only facts are known

  mutable std::mutex describing_;
  mutable std::vector<std::optional<Unit>> unit_;  // of columns with missing or extreme values
};

// The same for a sparse table. Materializes a column only if a search asks for it.
class SparseTableColumns : public TableColumns {
 public:
  using TableColumns::TableColumns;

  bool is_sparse() const override { return true; }
  std::optional<SparseColumn> sparse(int column) const override;
  std::vector<int> varying() const override;
  std::vector<double> projection(const std::vector<double>& coef) const override;

 protected:
  std::vector<int> written_with(int j) const override { return {j}; }

 private:
  // The values of the node's rows, by column.
  struct ByColumn {
    std::vector<std::int64_t> start;  // of each column, and the end
    std::vector<std::uint32_t> rows;
    std::vector<double> values;
  };
  const ByColumn& by_column() const;

  mutable std::once_flag transposed_;
  mutable ByColumn by_column_;
};

}  // namespace aslant
