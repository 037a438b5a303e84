// The rows that a tree is grown on, and how its splits are scored.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "criteria/child_limits.hpp"
#include "criteria/registry.hpp"
#include "data/features.hpp"
#include "data/target.hpp"
#include "support/counting.hpp"
#include "support/mean.hpp"

namespace aslant {

// How a partition is valued, and what a child must hold.
struct Rules {
  CriterionKind criterion = kind_of<Gini>();
  ChildLimits limits;
  bool fill_with_training_mean = false;  // else missing values take the mean of the node
  std::shared_ptr<const CustomCriterion> custom = nullptr;  // kept alive for `criterion`
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
  Problem(std::shared_ptr<const Features> features, std::shared_ptr<const Target> target,
          const Rules& rules);
  Problem(std::shared_ptr<const Features> features, std::shared_ptr<const Target> target,
          const std::vector<std::uint32_t>& rows, const Rules& rules);

  const Features& features() const { return *features_; }
  const Target& target() const { return *target_; }
  const std::shared_ptr<const Features>& shared_features() const { return features_; }
  const std::shared_ptr<const Target>& shared_target() const { return target_; }
  const Rules& rules() const { return rules_; }
  const std::vector<std::uint32_t>& rows() const { return rows_; }  // each once, ascending
  std::uint32_t times(std::uint32_t row) const { return times_.empty() ? 1 : times_[row]; }
  bool repeats() const { return !times_.empty(); }
  double weight_of(std::uint32_t row) const {
    const double weight = target_->weight_of(row);
    return times_.empty() ? weight : weight * times_[row];
  }

  // Of some rows, the i-th of which has level code_of(i); a negative code is a missing value.
  template <class CodeOf>
  LevelWeights level_weights(const std::vector<std::uint32_t>& rows, int n_levels,
                             const CodeOf& code_of) const;

  // Statistics of some of the rows: see target.hpp.
  std::vector<double> statistics(const std::uint32_t* rows, std::size_t n) const {
    return target_->statistics(*this, rows, n);
  }

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
  void find_sparse_means() const;
  double deviation_of_present(int column) const;
  std::size_t count_distinct_rows() const;

  std::shared_ptr<const Features> features_;
  std::shared_ptr<const Target> target_;
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
  if (target_->weight().empty() && times_.empty()) {  // rows that weigh 1 are counted
    std::vector<double> count(n_levels + 1, 0.0);     // behind the levels: missing
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
