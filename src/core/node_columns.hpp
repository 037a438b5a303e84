// The features of a node's rows, as a search reads them: column after column, never NaN.
//
// Columns are written when they are first read, so none can be read that was not written. A search
// that needs one column at a time reads it into a place of its own and nothing is kept.
//
// Products and sums of values near the limits of double precision overflow or vanish. A column with
// values beyond 1e100 or below 1e-100 is scaled by a power of two, which is exact, and the split is
// scaled back (in_input_units).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "linear_test.hpp"
#include "mean.hpp"
#include "node_facts.hpp"
#include "problem.hpp"
#include "span.hpp"
#include "split.hpp"

namespace aslant {

// A categorical feature at the node.
struct CategoryGroup {
  int first_column;
  int n_levels;
  std::vector<std::int32_t> code;  // level of each row, -1 missing
  std::vector<double> fill;        // per level: what stands in for a missing row
  double share_present;            // of the weight
};

// One level of a category, as the few rows that tell it from zero.
struct Indicator {
  Span<std::uint32_t> ones;     // the rows of the level, ascending
  Span<std::uint32_t> missing;  // the rows without a level, if anything but zero stands in for them
  double fill;                  // what does
};

// What a wrapper may know of a column that it made, without looking at the rows.
struct KnownMoments {
  Spread spread;
  std::vector<double> class_sum;  // by class, of x less its mean; empty: unknown
};

// A column that a wrapper made, or lends: where its values are.
struct DerivedColumn {
  const double* values;
  std::optional<KnownMoments> known;
};

// A category whose indicators a wrapper put in other units: the level of a row tells its values.
struct LevelColumns {
  int first_column;
  const std::vector<std::int32_t>* code;  // level of each row, -1 missing
  std::vector<double> off, on, missing;   // per level: rows of others, its own, rows without one

  int n_levels() const { return static_cast<int>(off.size()); }
};

class NodeColumns {
 public:
  NodeColumns(std::shared_ptr<const Problem> problem, const std::uint32_t* rows, std::size_t n_rows,
              double total_weight);

  // Some of the rows of a node of which only facts are known.
  NodeColumns(std::shared_ptr<const Problem> problem, const std::uint32_t* rows, std::size_t n_rows,
              const NodeFacts& facts);

  // Some of the rows of another node, in the same units and with the same fills.
  NodeColumns(std::shared_ptr<const NodeColumns> other, const std::vector<std::uint32_t>& rows);

  // Columns that a wrapper made, all taken as numbers; one after the other, n_rows values each.
  NodeColumns(std::shared_ptr<const Problem> problem, std::size_t n_rows,
              std::vector<double> values);

  // The same with some columns of another node among them; the others are in `values`.
  NodeColumns(std::shared_ptr<const NodeColumns> other, std::vector<double> values,
              const std::vector<DerivedColumn>& columns);

  // Another node's columns, all taken as numbers, counted from their means in units of their
  // deviations; one without deviation is zero. Indicators are still written when they are read.
  NodeColumns(std::shared_ptr<const NodeColumns> other, const std::vector<Spread>& scales);

  // Another node's columns of which only some vary: the others are zero. A category that loses some
  // of its indicators lends the rest as numbers.
  NodeColumns(std::shared_ptr<const NodeColumns> other, const std::vector<char>& kept);

  std::size_t n_rows() const { return n_rows_; }
  int size() const { return static_cast<int>(place_.size()); }
  bool is_derived() const { return derived_; }  // made by a wrapper

  const double* column(int j) const {
    const double* place = place_[j].load(std::memory_order_acquire);
    return place ? place : write(j);
  }
  std::uint32_t row(std::size_t i) const { return rows_[i]; }  // of the table

  // Of the rows, if the wrapper that made the column knew it; else null.
  const KnownMoments* known(int j) const {
    return known_.empty() || !known_[j] ? nullptr : &*known_[j];
  }
  const std::vector<int>& numeric() const { return numeric_; }
  const std::vector<CategoryGroup>& groups() const { return groups_; }

  // Of the numeric columns, those of which it is enough to know the levels of the rows.
  const std::vector<LevelColumns>& by_level() const { return by_level_; }
  const LevelColumns* levels_of(int column) const;  // null: none of these

  // A column that is one level of a category, without writing it; nothing for numbers. The rows of
  // a category are put in the order of its levels once, when a level is first asked for.
  std::optional<Indicator> indicator(int column) const;

  // Some neighbours among the numeric columns, from the `first`-th on, without keeping them: they
  // stay valid until `scratch` is used again.
  std::vector<const double*> peek(std::size_t first, std::size_t count,
                                  std::vector<double>& scratch) const;
  // The same of one column by its number.
  const double* peek(int column, std::vector<double>& scratch) const;
  // How many of them to read at a time: few where rows are many.
  std::size_t peek_width() const;

  // Columns that are not constant here. The others can be given no meaningful coefficient.
  std::vector<int> varying() const;

  // What stands in for a missing value, in input units.
  double fill(int column, const std::vector<double>& weight) const;

  // Share of the weight whose value of a column is not missing; 1 where the training mean stands
  // in, because then the column's own spread tells nothing of what is missing.
  double share_present(int column) const;

  // The rows in which none of the numbers is missing; all of them where a wrapper made the columns.
  std::vector<std::uint32_t> complete_rows() const;

  // A value in input units / 2^exponent(column) is one in the units of the column.
  int exponent(int column) const { return info(column).exponent; }

  // The split in the units of the caller's data.
  Split in_input_units(Split split) const;

  // Where a test of the table's columns sends every row, as send_rows() says, if the columns that
  // it reads are here as they are in the table: one after the other they are read faster than
  // there.
  bool send(const LinearTest& test, std::int32_t* child) const;

  // coef . x of every row, summed in the order of columns: constant columns change nothing.
  // Categories cost their rows, not rows times levels.
  std::vector<double> projection(const std::vector<double>& coef) const;

 private:
  struct Info {
    double fill = 0.0;  // in the units of the column
    double share_present = 1.0;
    int exponent = 0;
  };

  // The rows of a category, those of a level together; those that have none come last.
  struct LevelRows {
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> start;  // of each level, of the missing, and the end
  };

  const double* write(int column) const;
  const LevelRows& level_rows(std::size_t group) const;
  void write_numeric() const;
  void write_group(std::size_t group) const;
  void write_level(int column) const;
  void gather(const std::vector<int>& columns, double* out) const;
  template <class Out>
  void gather_some(int column, std::size_t begin, std::size_t n, Out* out) const;
  bool is_odd(int column) const;
  bool has_odd_columns() const;
  void settle(int column, double* values) const;
  Info describe(int column, double* values) const;
  Info describe(int column, const NodeFacts& facts) const;
  Info settled(int column, int exponent, double present, double mean) const;
  const Info& info(int column) const;
  void find_groups();
  void fill_group(CategoryGroup& group, double present) const;
  const CategoryGroup* group_of(int column) const;
  void keep_in_range(Split& split) const;

  std::shared_ptr<const Problem> problem_;
  std::shared_ptr<const NodeColumns> other_;  // whose units, or whose columns, these are
  std::size_t n_rows_;
  std::vector<std::uint32_t> rows_;  // of the table
  std::vector<int> numeric_;
  std::vector<CategoryGroup> groups_;
  std::vector<LevelColumns> by_level_;
  double total_weight_ = 0.0;  // of the node
  bool derived_ = false;
  std::vector<double> mean_;                        // of the columns, where only facts are known
  std::vector<std::optional<KnownMoments>> known_;  // of derived columns

  mutable std::vector<std::atomic<const double*>> place_;  // of each column once it is written
  mutable std::mutex writing_;
  mutable std::vector<std::unique_ptr<const LevelRows>> level_rows_;  // by group
  mutable std::vector<std::unique_ptr<double[]>> blocks_;
  std::vector<double> values_;  // of derived columns, or zeros
  mutable std::mutex describing_;
  mutable std::vector<std::optional<Info>> info_;  // of columns with missing or extreme values
};

}  // namespace aslant
