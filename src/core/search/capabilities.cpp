#include "search/capabilities.hpp"

#include <algorithm>
#include <stdexcept>

#include "node/partition.hpp"

namespace aslant {

namespace {

class RestrictedSearch : public SubsetSearch {
 public:
  RestrictedSearch(const Search& search, NodePointer node, const SearchContext& context)
      : search_(search), node_(std::move(node)), context_(context) {}

  std::optional<Candidate> find(const std::vector<int>& columns) override {
    std::optional<Split> split =
        search_.find(node_->restricted_to(columns), context_.below(question_++));
    if (split) keep_only(columns, *split);
    if (!split || split->columns.empty()) return std::nullopt;
    const double accuracy = node_->target().accuracy(children_of(*node_, *split));
    return Candidate{std::move(*split), accuracy, true};
  }

 private:
  const Search& search_;
  NodePointer node_;
  SearchContext context_;
  std::uint64_t question_ = 0;
};

}  // namespace

std::unique_ptr<SubsetSearch> on_subsets(const Search& search, const NodePointer& node,
                                         const SearchContext& context) {
  if (const auto* able = dynamic_cast<const SearchesSubsets*>(&search))
    return able->on_subsets(node, context);
  return std::make_unique<RestrictedSearch>(search, node, context);
}

std::vector<Proposal> propose(const Search& search, const NodePointer& sample,
                              const SearchContext& context) {
  std::vector<Proposal> all;
  if (const auto* combined = dynamic_cast<const CombinesSearches*>(&search)) {
    for (std::size_t i = 0; i < combined->searches().size(); ++i)
      for (Proposal& proposal : propose(*combined->searches()[i], sample, context.below(i)))
        all.push_back(std::move(proposal));
    return all;
  }
  std::optional<Split> split = search.find(sample, context);
  if (split && !split->columns.empty()) all.push_back({std::move(*split), &search});
  return all;
}

std::vector<const Search*> parts_of(const Search& search) {
  const auto* combined = dynamic_cast<const CombinesSearches*>(&search);
  if (combined == nullptr) return {&search};
  std::vector<const Search*> all;
  for (const SearchPointer& inner : combined->searches())
    for (const Search* part : parts_of(*inner)) all.push_back(part);
  return all;
}

bool finishes_on_lines(const Search& search) {
  const std::vector<const Search*> parts = parts_of(search);
  return std::none_of(parts.begin(), parts.end(), [](const Search* part) {
    return dynamic_cast<const FindsOnSample*>(part) != nullptr;
  });
}

const ViewSearch* small_node_search(const Search& search) {
  const auto* able = dynamic_cast<const HasSmallNodeSearch*>(&search);
  return able ? able->of_small_nodes() : nullptr;
}

LineTarget line_target(const Node& node) {
  const NodeTarget& target = node.target();
  LineTarget wanted{target.n_classes(), {}};
  if (target.has_classes()) return wanted;
  for (int q = 0; q < target.n_outputs(); ++q) {
    double low = target.value(0, q), high = low;
    for (std::size_t i = 1; i < target.n_rows(); ++i) {
      low = std::min(low, target.value(i, q));
      high = std::max(high, target.value(i, q));
    }
    const bool centred = centers_targets(node.criterion());
    wanted.centre.push_back(centred ? centre_of(target.mean(q), low, high) : 0.0);
  }
  return wanted;
}

LineRow line_row(const Node& node, std::size_t i, double at) {
  const NodeTarget& target = node.target();
  LineRow row{at, node.problem().features().number_of(node.columns().row(i))};
  row.weight = target.weight_of(i);
  if (target.has_classes())
    row.label = target.label()[i];
  else
    row.numbers = target.regression().values(i);
  return row;
}

namespace {

std::optional<Split> exact_threshold(const Node& node, const Node& sample,
                                     const std::vector<double>& coef, const ChildLimits& limits) {
  const std::vector<double> places = node.columns().projection(coef);
  const bool one_feature =
      std::count_if(coef.begin(), coef.end(), [](double c) { return c != 0.0; }) == 1;
  LineBins bins(line_target(node), edges_between(sample.columns().projection(coef), kLineBins),
                one_feature);
  for (std::size_t i = 0; i < places.size(); ++i) bins.add(line_row(node, i, places[i]));
  const std::vector<char> candidates = bins.candidates(node.criterion(), limits);
  std::vector<LineRow> rows;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t bin = bins.bin_of(places[i]);
    if (candidates[bin] && bins.needs_rows(bin)) rows.push_back(line_row(node, i, places[i]));
  }
  const auto best = bins.best(node.criterion(), limits, candidates, std::move(rows));
  if (!best) return std::nullopt;
  Split split = hyperplane(coef, best->alpha, best->score);
  if (!split.finite()) return std::nullopt;
  return split;
}

const CategoryGroup& group_with(const Node& node, int column) {
  for (const CategoryGroup& group : node.columns().groups())
    if (column >= group.first_column && column < group.first_column + group.n_levels) return group;
  throw std::logic_error("a machine over levels reads a column that is none");
}

}  // namespace

namespace {

// Finishes a proposal on all rows of the node.
std::optional<Split> finished(const Proposal& proposal, const NodePointer& node,
                              const NodePointer& sample) {
  const Split& split = proposal.split;
  const auto* own = dynamic_cast<const OwnFinish*>(proposal.by);
  std::optional<Split> end;
  if (split.n_vectors() > 1) {
    if (own) return own->finish_on_category(*node, group_with(*node, split.columns[0]));
    end = split;
    end->score = score_of(*node, children_of(*node, split));
    return end;
  }
  const std::vector<double> coef = direction_of(*node, split);
  if (own == nullptr) {
    end = exact_threshold(*node, *sample, coef, proposal.by->limits_at(*node));
  } else if (const auto found =
                 own->finish_on_line(*node->with_columns(node->columns().projection(coef)))) {
    end = hyperplane(coef, found->offsets[0], found->score);
  }
  if (end) end->legacy = split.legacy;
  return end;
}

}  // namespace

std::optional<Split> find_on_sample(const Search& search, const NodePointer& node,
                                    const NodePointer& sample, const SearchContext& context) {
  if (const auto* able = dynamic_cast<const FindsOnSample*>(&search))
    return able->find_on_sample(node, sample, context);
  std::optional<Split> best;
  if (const auto* combined = dynamic_cast<const CombinesSearches*>(&search)) {
    for (std::size_t i = 0; i < combined->searches().size(); ++i)
      keep_better(best, find_on_sample(*combined->searches()[i], node, sample, context.below(i)));
    return best;
  }
  for (const Proposal& proposal : propose(search, sample, context))
    keep_better(best, finished(proposal, node, sample));
  return best;
}

}  // namespace aslant
