// The growth loop: the only place where trees grow.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "growth/stopping_rules.hpp"
#include "search/search.hpp"
#include "tree/tree.hpp"

namespace aslant {

// Where growth begins: at the root, or at a node of a tree grown elsewhere.
struct Beginning {
  std::uint64_t key = 0;  // of the node's random streams
  int depth = 0;
  double total_weight = 0.0;  // of the whole tree; 0: that of the node
};

// A grown tree as flat arrays, nodes in depth-first preorder.
struct GrownTree {
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
  std::vector<double> gain;  // of the splits, times the node's weight; 0 for leaves

  // The rows of node i are rows[row_begin[i]] to rows[row_begin[i] + n_node_samples[i] - 1].
  std::vector<std::uint32_t> rows;
  std::vector<std::int64_t> row_begin;

  std::int64_t hyperplanes = 0;

  std::size_t n_nodes() const { return impurity.size(); }
};

// `look_outside(rows_done)` is called periodically from the calling thread.
GrownTree grow(std::shared_ptr<const Problem> problem, const Search& search,
               const StoppingRules& rules, const Beginning& beginning, int n_threads,
               std::function<void(std::int64_t)> look_outside);

}  // namespace aslant
