// The features of a node's rows, as a search reads them: by column, never NaN.
//
// One interface, several sources:
//   TableColumns       the rows of a growing node, read from the caller's table
//   SparseTableColumns the same for a sparse table
//   SampledColumns     some rows of another node, in the same units and with the same fills
//   RestrictedColumns  another node's columns, of which only some vary
//   ScaledColumns      another node's columns, standardized
//   OwnedColumns       columns that a wrapper computed, or shares with another node
//
// A column is written on first read, and kept; `peek` and `read` keep nothing. An axis-parallel
// search therefore copies no rows.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "data/problem.hpp"
#include "search/split.hpp"
#include "support/mean.hpp"
#include "support/span.hpp"
#include "tree/linear_test.hpp"

namespace aslant {

// A categorical feature at the node.
struct CategoryGroup {
  int first_column;
  int n_levels;
  std::vector<std::int32_t> code;  // level of each row, -1 missing
  std::vector<double> fill;        // per level: replaces a missing value
  double share_present;            // of the weight
};

// Moments of a column that are known without a pass over the rows.
struct KnownMoments {
  Spread spread;
  std::vector<double> class_sum;  // by class, of x minus its mean; empty: unknown
};

// A category with scaled indicators: the level of a row determines its values.
struct LevelColumns {
  int first_column;
  const std::vector<std::int32_t>* code;  // level of each row, -1 missing
  std::vector<double> off, on, missing;   // per level: value for other levels, its own, missing

  int n_levels() const { return static_cast<int>(off.size()); }
};

// Rows of a node by position; all rows in order if `list` is null.
struct Positions {
  const std::uint32_t* list = nullptr;
  std::size_t n = 0;

  std::uint32_t operator[](std::size_t i) const {
    return list ? list[i] : static_cast<std::uint32_t>(i);
  }
};

class NodeColumns {
 public:
  virtual ~NodeColumns() = default;

  std::size_t n_rows() const { return n_rows_; }
  int size() const { return static_cast<int>(kept_.size()); }
  Positions all_rows() const { return {nullptr, n_rows_}; }
  bool is_written(int j) const { return kept(j) != nullptr; }

  // The values of a column for all rows.
  const double* column(int j) const {
    const double* values = kept_[j].load(std::memory_order_acquire);
    return values ? values : write(j);
  }

  // Writes the numbers of a dense table before several searches read them one after the other.
  void gather_numbers() const {
    if (!numeric_.empty() && !is_sparse()) column(numeric_.front());
  }

  // Reads some columns, one after the other, for some of the rows, and keeps nothing.
  virtual void read(const std::vector<int>& columns, const Positions& rows, double* out) const = 0;

  // Consecutive numeric columns from the `first`-th on, valid until `scratch` is used again.
  std::vector<const double*> peek(std::size_t first, std::size_t count,
                                  std::vector<double>& scratch) const;
  // The same for one column by its index.
  const double* peek(int column, std::vector<double>& scratch) const;
  // Number of columns to peek at once: few if rows are many.
  std::size_t peek_width() const;

  // Numeric columns, and categories.
  const std::vector<int>& numeric() const { return numeric_; }
  const std::vector<CategoryGroup>& groups() const { return groups_; }
  const CategoryGroup* group_of(int column) const;  // null: numeric

  // The numeric columns that are determined by the levels of the rows.
  const std::vector<LevelColumns>& by_level() const { return by_level_; }
  const LevelColumns* levels_of(int column) const;  // null: not one of these

  // A column as its nonzero rows, if stored that way (one level of a category); else nothing.
  virtual std::optional<SparseColumn> sparse(int column) const;

  // Whether the table is sparse: `sparse` then gives every column except all-zero ones.
  virtual bool is_sparse() const { return false; }

  // Columns that vary here. Others have no meaningful coefficient.
  virtual std::vector<int> varying() const;

  // coef . x of every row, summed in column order; skips constant columns. A category costs its
  // rows, not rows times levels.
  virtual std::vector<double> projection(const std::vector<double>& coef) const;

  // The rows without a missing numeric value.
  std::vector<std::uint32_t> complete_rows() const;

  // The split in input units.
  Split in_input_units(Split split) const;

  // The table row of the i-th row.
  virtual std::uint32_t row(std::size_t i) const = 0;

  // Whether the columns equal the table's up to powers of two: facts of the training set then
  // apply.
  virtual bool has_table_units() const { return false; }

  // A value in input units / 2^exponent(column) is in column units.
  virtual int exponent(int) const { return 0; }

  // The fill for missing values, in input units.
  virtual double fill(int column, const std::vector<double>& weight) const;

  // Weight fraction of nonmissing values of a column; 1 if the fill is the training mean, because
  // the column's spread then says nothing about missing values.
  virtual double share_present(int) const { return 1.0; }

  virtual bool is_missing(int, std::size_t) const { return false; }

  // Moments of a column, if known.
  virtual const KnownMoments* known(int) const { return nullptr; }

  // The child of every row under a test of the table's columns, as by send_rows(). False if the
  // rows must be read from the table.
  virtual bool send(const LinearTest&, std::int32_t*) const { return false; }

 protected:
  NodeColumns(std::size_t n_rows, int n_columns) : n_rows_(n_rows), kept_(n_columns) {}

  // The columns written together with j, including j.
  virtual std::vector<int> written_with(int j) const { return {j}; }

  // Values of a column owned elsewhere; null: none.
  virtual const double* lent(int) const { return nullptr; }

  const double* kept(int j) const { return kept_[j].load(std::memory_order_acquire); }
  void keep(int j, const double* values) const {
    kept_[j].store(values, std::memory_order_release);
  }

  std::size_t n_rows_;
  std::vector<int> numeric_;
  std::vector<CategoryGroup> groups_;
  std::vector<LevelColumns> by_level_;

 private:
  // The rows of a category grouped by level; missing levels come last.
  struct LevelRows {
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> start;  // of each level, of the missing, and the end
  };

  const double* write(int column) const;
  const LevelRows& level_rows(std::size_t group) const;
  void keep_in_range(Split& split) const;

  mutable std::vector<std::atomic<const double*>> kept_;  // values of each column once written
  mutable std::vector<std::unique_ptr<double[]>> blocks_;
  mutable std::vector<std::unique_ptr<const LevelRows>> level_rows_;  // by group
  mutable std::mutex writing_;
};

// The indicator of one level for a row: `fill` if the level is missing.
inline double indicator_value(std::int32_t code, int level, double fill) {
  return code < 0 ? fill : (code == level ? 1.0 : 0.0);
}

}  // namespace aslant
