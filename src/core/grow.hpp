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

  // The rows of node i are rows[row_begin[i]] to rows[row_begin[i] + n_node_samples[i] - 1].
  std::vector<std::uint32_t> rows;
  std::vector<std::int64_t> row_begin;

  std::int64_t hyperplanes = 0;

  std::size_t n_nodes() const { return impurity.size(); }
};

// `look_outside(rows_done)` is called now and then from the calling thread.
Growth grow(std::shared_ptr<const Problem> problem, const Search& search,
            const StoppingRules& rules, std::uint64_t seed, int n_threads,
            std::function<void(std::int64_t)> look_outside);

}  // namespace aslant
