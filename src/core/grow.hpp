// The growth loop: the one place where a tree is grown, and where every stopping rule lives.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "search.hpp"
#include "tree.hpp"

namespace aslant {

struct StoppingRules {
  int max_depth = std::numeric_limits<int>::max();
  std::int64_t min_samples_split = 2;
  double min_impurity_decrease = 0.0;
  std::int64_t max_leaf_nodes = 0;  // 0: no limit, depth-first; else best-first
};

// Where growth begins: at the root, or at a place of a tree whose other parts are grown elsewhere.
struct Beginning {
  std::uint64_t key = 0;  // of the place's random streams
  int depth = 0;
  double total_weight = 0.0;  // of the whole tree; 0: that of the place
};

// The place that a node of this depth, rows and weight is: whether it may be divided.
bool may_be_divided(const StoppingRules& rules, const ChildLimits& limits, int depth,
                    std::int64_t rows, double weight);

// Whether a split of this score is worth making. `share` is that of the node in the total weight,
// `decides` says that the search has weighed it.
bool worth_making(const StoppingRules& rules, CriterionKind criterion, double score, double share,
                  bool decides);

// Sums up to the impurity of a node of numbers, whose means are known; to be divided by its weight.
AccurateSum impurity_sum(const Problem& problem, const std::vector<double>& means,
                         const std::uint32_t* rows, std::size_t n_rows);

// The children of rows, by the very test that prediction uses.
void send_rows(const LinearTest& test, const Table& table, const Columns& columns,
               const std::uint32_t* rows, std::size_t n_rows, std::int32_t* child);

// The test in the units of the input with what stands in for missing values: a coefficient of zero
// is none.
struct KeptTest {
  std::vector<std::int64_t> start;
  std::vector<std::int32_t> column;
  std::vector<double> coef, fill, offset;
  std::vector<std::int32_t> run;  // empty without categories

  void find_runs_in(const Columns& columns) {
    run.resize(columns.any_levels() ? column.size() : 0);
    if (!run.empty())
      find_runs(columns, start.data(), static_cast<std::int64_t>(offset.size()), column.data(),
                run.data());
  }
  LinearTest view() const {
    return {static_cast<int>(offset.size()),
            start.data(),
            column.data(),
            coef.data(),
            fill.data(),
            offset.data(),
            run.data()};
  }
};

// `test` is overwritten: growing makes very many.
template <class Fill>
void keep_test(const Split& split, const Columns& columns, const Fill& fill, KeptTest& test) {
  const std::size_t width = split.columns.size();
  test.offset = split.offsets;
  test.column.clear();
  test.coef.clear();
  test.fill.clear();
  std::vector<double> fills;
  for (std::int32_t column : split.columns) fills.push_back(fill(column));
  test.start.assign(1, 0);
  for (int v = 0; v < split.n_vectors(); ++v) {
    for (std::size_t c = 0; c < width; ++c) {
      if (split.coefs[v * width + c] == 0.0) continue;
      test.column.push_back(split.columns[c]);
      test.coef.push_back(split.coefs[v * width + c]);
      test.fill.push_back(fills[c]);
    }
    test.start.push_back(static_cast<std::int64_t>(test.column.size()));
  }
  test.find_runs_in(columns);
}

// A grown tree as flat arrays, nodes in depth-first preorder.
struct Growth {
  int max_children = 2;
  std::vector<std::int32_t> children;    // n_nodes x max_children, -1 where there is none
  std::vector<std::int32_t> row_start;   // n_nodes + 1
  std::vector<std::int64_t> coef_start;  // n_rows + 1
  std::vector<std::int32_t> coef_column;
  std::vector<double> coef_value, coef_fill;
  std::vector<double> offset;      // n_rows
  std::vector<double> statistics;  // n_nodes x width: see target.hpp
  std::vector<std::int64_t> n_node_samples;
  std::vector<double> impurity;
  std::vector<double> gain;  // of the splits, times the weight of the node; 0 for leaves

  // The rows of node i are rows[row_begin[i]] to rows[row_begin[i] + n_node_samples[i] - 1].
  std::vector<std::uint32_t> rows;
  std::vector<std::int64_t> row_begin;

  std::int64_t hyperplanes = 0;

  std::size_t n_nodes() const { return impurity.size(); }
};

// `look_outside(rows_done)` is called now and then from the calling thread.
Growth grow(std::shared_ptr<const Problem> problem, const Search& search,
            const StoppingRules& rules, const Beginning& beginning, int n_threads,
            std::function<void(std::int64_t)> look_outside);

}  // namespace aslant
