#include "growth/pieces.hpp"

#include <cmath>

namespace aslant {

std::vector<NodeFacts> gather_facts(const Problem& problem,
                                    const std::vector<std::int32_t>& node_of_row, int n_nodes) {
  std::vector<NodeFacts> facts(n_nodes, NodeFacts(problem));
  for (std::uint32_t row : problem.rows())
    if (node_of_row[row] >= 0) facts[node_of_row[row]].add(row);
  return facts;
}

SampleKeys sample_keys(const Target& target, std::uint64_t key, std::size_t wanted, int n_present) {
  if (n_present < 0) return SampleKeys::first(key, wanted);
  return SampleKeys::second(key, wanted, std::max(1, n_present),
                            target.classes() ? target.n_strata() : 0);
}

SampledRows draw_samples(const Problem& problem, const std::vector<std::int32_t>& node_of_row,
                         std::vector<SampleKeys> samples) {
  for (std::uint32_t row : problem.rows())
    if (node_of_row[row] >= 0)
      samples[node_of_row[row]].add(row, problem.features().number_of(row),
                                    problem.target().stratum(row));
  SampledRows all;
  for (std::size_t node = 0; node < samples.size(); ++node)
    for (const SampleKeys::Drawn& drawn : samples[node].drawn()) {
      all.row.push_back(drawn.row);
      all.node.push_back(static_cast<std::int32_t>(node));
      all.key.push_back(drawn.key);
    }
  return all;
}

NodePointer Piece::node(const std::vector<std::uint32_t>& rows) const {
  return std::make_shared<const Node>(problem_, rows, facts_, facts_.statistics(),
                                      problem_->rules().limits);
}

NodePointer Piece::sample(const std::vector<std::uint32_t>& rows, const ChildLimits& limits) const {
  return std::make_shared<const Node>(problem_, rows, facts_,
                                      problem_->statistics(rows.data(), rows.size()), limits);
}

std::vector<double> Piece::centre() const {
  std::vector<double> centre;
  const std::vector<double> statistics = facts_.statistics();
  const bool centred = centers_targets(problem_->rules().criterion);
  const RegressionTarget* target = problem_->target().regression();
  for (int q = 0; target && q < target->n_outputs(); ++q)
    centre.push_back(
        centred ? centre_of(statistics[q + 1] / statistics[0], facts_.low(q), facts_.high(q))
                : 0.0);
  return centre;
}

bool Piece::may_split(const StoppingRules& rules, int depth) const {
  return rules.allow_split(problem_->rules().limits, depth, facts_.rows(),
                           without_rows()->target().total_weight()) &&
         !facts_.is_pure();
}

bool Piece::allows(const NodeFacts& child) const {
  const double weight = problem_->target().weight_in(child.statistics().data());
  return problem_->rules().limits.allow(child.rows(), weight * (1.0 + 1e-9));
}

std::optional<Split> Piece::completed(Split split) const {
  if (split.is_constant() || !split.finite()) return std::nullopt;
  const NodePointer node = without_rows();
  split = node->columns().in_input_units(std::move(split));
  if (!split.finite()) return std::nullopt;
  split.complete(problem_->features().columns(), [&](int column) { return node->fill(column); });
  return split;
}

LineRow line_row(const Target& target, std::size_t row, std::uint64_t number, double at) {
  LineRow one{at, number};
  one.weight = target.weight_of(static_cast<std::int64_t>(row));
  if (target.classes())
    one.label = target.classes()->label()[row];
  else
    one.numbers = target.regression()->values(row);
  return one;
}

std::optional<Split> own_finish(const Node& node, const OwnFinish& search) {
  if (!node.columns().groups().empty())
    return search.finish_on_category(node, node.columns().groups()[0]);
  const double* places = node.column(0);
  return search.finish_on_line(*node.with_columns({places, places + node.n_rows()}));
}

SpreadSums spread_sums(const Problem& problem, const std::vector<double>& means) {
  const Columns& columns = problem.features().columns();
  const auto n_columns = static_cast<std::size_t>(columns.size());
  SpreadSums sums{std::vector<AccurateSum>(n_columns), std::vector<AccurateSum>(n_columns)};
  for (std::size_t j = 0; j < n_columns; ++j) {
    const int level = columns.level[j];
    for (std::uint32_t row : problem.rows()) {
      const double x = problem.features().table().at(row, columns.feature[j]);
      if (std::isnan(x)) continue;
      const double distance = (level < 0 ? x : (x == level ? 1.0 : 0.0)) - means[j];
      sums.squares[j].add(distance * distance, problem.weight_of(row));
      sums.weight[j].add(problem.weight_of(row), 1.0);
    }
  }
  return sums;
}

}  // namespace aslant
