// The caller's data, and the rows of it that a tree is grown on.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "child_limits.hpp"
#include "counting.hpp"
#include "criterion.hpp"
#include "mean.hpp"
#include "table.hpp"
#include "target.hpp"

namespace aslant {

// Values beyond these, in size, are scaled before they are multiplied: see NodeColumns.
constexpr double kLarge = 1e100, kSmall = 1e-100;

// How the training rows spread.
struct TrainingSpread {
  std::vector<double> deviation;  // of each column's present values
  std::size_t distinct_rows = 0;
};

// What is known of the data that some rows were taken from: a tree that is grown in pieces looks at
// each of them as it would look at the whole.
struct Whole {
  std::vector<char> has_missing, has_extreme;  // per feature
  std::vector<int> exponent;                   // of the largest value of each feature
  bool weighted = false, countable = true;     // see Target
  std::vector<double> unit;
  std::vector<double> training_mean;  // per column; empty: that of the problem's rows
  TrainingSpread spread;              // empty: that of the problem's rows
  double cases = 0.0;                 // to grow on; 0: those of the problem's rows
};

// Features and targets of all rows, surveyed once, whatever number of trees is grown on them.
struct Data {
  Table table;
  Columns columns;
  Target target;
  std::vector<char> has_missing, has_extreme;  // per feature, found by survey()
  std::optional<Whole> whole;                  // where these rows are some of others
  std::vector<std::int64_t> number;            // of each row among all; empty: its place

  std::uint64_t number_of(std::uint32_t row) const {
    return number.empty() ? row : static_cast<std::uint64_t>(number[row]);
  }

  // Looks at every value once, in the order in which they lie in memory. Throws
  // std::invalid_argument if one is infinite, or is not a level of its category.
  void survey();
};

// The key of a row by its content.
std::uint64_t row_key(const Table& table, std::uint32_t row);

// How a partition is valued, and what a child must hold.
struct Rules {
  CriterionKind criterion = CriterionKind::gini;
  ChildLimits limits;
  bool fill_with_training_mean = false;  // else missing values take the mean of the node
  std::shared_ptr<const OwnCriterion> own = nullptr;  // kept for `criterion`
};

// What the rows of each level of a category weigh, and all that have a level.
struct LevelWeights {
  std::vector<AccurateSum> level;
  AccurateSum present;
};

// A list of rows to grow on. A row that is listed several times counts as often.
class Problem {
 public:
  // All rows.
  Problem(std::shared_ptr<const Data> data, const Rules& rules);
  Problem(std::shared_ptr<const Data> data, const std::vector<std::uint32_t>& rows,
          const Rules& rules);

  const Data& data() const { return *data_; }
  const Rules& rules() const { return rules_; }
  const std::vector<std::uint32_t>& rows() const { return rows_; }  // each once, ascending
  std::uint32_t times(std::uint32_t row) const { return times_.empty() ? 1 : times_[row]; }
  bool repeats() const { return !times_.empty(); }
  double weight_of(std::uint32_t row) const {
    const double weight = data_->target.weight_of(row);
    return times_.empty() ? weight : weight * times_[row];
  }

  // Of some rows, the i-th of which has level code_of(i); a negative code is a missing value.
  template <class CodeOf>
  LevelWeights level_weights(const std::vector<std::uint32_t>& rows, int n_levels,
                             const CodeOf& code_of) const;

  // Statistics of some of the rows: see target.hpp.
  std::vector<double> statistics(const std::uint32_t* rows, std::size_t n) const;

  // Mean of a column's present values, over the rows of the problem.
  double training_mean(int column) const;

  // Few searches ask for it, so it is found when the first one does.
  const TrainingSpread& spread() const;

  // What the rows weigh, or their number if that is more.
  double cases() const;

 private:
  template <class Visit>
  void for_each_present(int column, const Visit& visit) const;
  int exponent_of(int column) const;
  double mean_of_present(int column, int exponent) const;
  void append_level_shares(int first_column) const;
  double deviation_of_present(int column) const;
  std::size_t count_distinct_rows() const;

  std::shared_ptr<const Data> data_;
  Rules rules_;
  std::vector<std::uint32_t> rows_, times_;  // times by row of the table; empty: each once
  mutable std::once_flag means_known_, spread_known_, cases_known_;
  mutable std::vector<double> training_mean_;
  mutable TrainingSpread spread_;
  mutable double cases_ = 0.0;
};

template <class CodeOf>
LevelWeights Problem::level_weights(const std::vector<std::uint32_t>& rows, int n_levels,
                                    const CodeOf& code_of) const {
  LevelWeights weights{std::vector<AccurateSum>(n_levels), {}};
  if (data_->target.weight.empty() && times_.empty()) {  // rows that weigh 1 are counted
    std::vector<double> count(n_levels + 1, 0.0);        // behind the levels: missing
    count_by(rows.size(), count.size(), count.data(), [&](std::size_t i) {
      const std::int32_t code = code_of(i);
      return code < 0 ? n_levels : code;
    });
    for (int level = 0; level < n_levels; ++level) weights.level[level].add(count[level], 1.0);
    weights.present.add(static_cast<double>(rows.size()) - count[n_levels], 1.0);
    return weights;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int32_t code = code_of(i);
    if (code < 0) continue;
    weights.level[code].add(weight_of(rows[i]), 1.0);
    weights.present.add(weight_of(rows[i]), 1.0);
  }
  return weights;
}

}  // namespace aslant
