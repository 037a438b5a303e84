// Growing a tree on data in several pieces, such as the partitions of a cluster.
//
// Each piece sums up its rows of a node; the sums are added; the decisions of the growth loop are
// made here from these sums.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "growth/stopping_rules.hpp"
#include "line/line_bins.hpp"
#include "node/node_facts.hpp"
#include "node/partition.hpp"
#include "search/capabilities.hpp"
#include "search/sample_keys.hpp"

namespace aslant {

// The facts of every node; skips rows with a negative node.
std::vector<NodeFacts> gather_facts(const Problem& problem,
                                    const std::vector<std::int32_t>& node_of_row, int n_nodes);

// The sample of a node: the first, or, given `n_present` classes, the second.
SampleKeys sample_keys(const Target& target, std::uint64_t key, std::size_t wanted, int n_present);

// The rows of this piece that may be in the samples of nodes.
struct SampledRows {
  std::vector<std::int64_t> row;
  std::vector<std::int32_t> node;
  std::vector<std::uint64_t> key;
};
SampledRows draw_samples(const Problem& problem, const std::vector<std::int32_t>& node_of_row,
                         std::vector<SampleKeys> samples);

// A node with some rows here and aggregated facts of all rows.
class Piece {
 public:
  Piece(std::shared_ptr<const Problem> problem, const double* facts, std::size_t n_facts)
      : problem_(std::move(problem)), facts_(*problem_, facts, n_facts) {}

  const Problem& problem() const { return *problem_; }
  const NodeFacts& facts() const { return facts_; }

  // Some of the rows, with the statistics of all or, as a sample, with their own.
  NodePointer node(const std::vector<std::uint32_t>& rows) const;
  NodePointer sample(const std::vector<std::uint32_t>& rows, const ChildLimits& limits) const;
  // A node without rows: only aggregated facts.
  NodePointer without_rows() const { return node({}); }

  // The center of the targets, per output, to subtract before summing.
  std::vector<double> centre() const;

  // Whether the stopping rules allow a split here.
  bool may_split(const StoppingRules& rules, int depth) const;
  // Whether a child with these facts may exist.
  bool allows(const NodeFacts& child) const;

  // The split in input units; nothing if these cannot express it.
  std::optional<Split> completed(Split split) const;

 private:
  std::shared_ptr<const Problem> problem_;
  NodeFacts facts_;
};

// The i-th row of a target on a line.
LineRow line_row(const Target& target, std::size_t row, std::uint64_t number, double at);

// A search's own rule for a threshold on a line or a test of a category: the node's only feature.
std::optional<Split> own_finish(const Node& node, const OwnFinish& search);

// Per column: the sum of squared deviations of present values from a mean, and of their weights.
struct SpreadSums {
  std::vector<AccurateSum> squares, weight;
};
SpreadSums spread_sums(const Problem& problem, const std::vector<double>& means);

}  // namespace aslant
