#include "search.hpp"

#include <algorithm>
#include <stdexcept>

#include "line_bins.hpp"
#include "partition.hpp"

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
    const double accuracy = accuracy_of(*node_, children_of(*node_, *split));
    return Candidate{std::move(*split), accuracy, true};
  }

 private:
  const Search& search_;
  NodePointer node_;
  SearchContext context_;
  std::uint64_t question_ = 0;
};

}  // namespace

void keep_only(const std::vector<int>& columns, Split& split) {
  Split kept;
  kept.offsets = std::move(split.offsets);
  kept.score = split.score;
  const std::size_t width = split.columns.size();
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < width; ++c)
    if (std::binary_search(columns.begin(), columns.end(), split.columns[c])) {
      places.push_back(c);
      kept.columns.push_back(split.columns[c]);
    }
  for (int v = 0; v < kept.n_vectors(); ++v)
    for (std::size_t c : places) kept.coefs.push_back(split.coefs[v * width + c]);
  split = std::move(kept);
}

std::unique_ptr<SubsetSearch> Search::on_subsets(const NodePointer& node,
                                                 const SearchContext& context) const {
  return std::make_unique<RestrictedSearch>(*this, node, context);
}

std::vector<Proposal> Search::propose(const NodePointer& sample,
                                      const SearchContext& context) const {
  std::optional<Split> split = find(sample, context);
  if (!split || split->columns.empty()) return {};
  return {{std::move(*split), this}};
}

std::optional<Split> Search::finish_on_line(const Node&) const {
  return std::nullopt;
}

std::optional<Split> Search::finish_on_category(const Node&, const CategoryGroup&) const {
  return std::nullopt;
}

std::vector<double> direction_of(const Node& node, const Split& split) {
  std::vector<double> coef(node.n_columns(), 0.0);
  for (std::size_t c = 0; c < split.columns.size(); ++c) coef[split.columns[c]] = split.coefs[c];
  return coef;
}

LineTarget line_target(const Node& node) {
  const NodeTarget& target = node.target();
  LineTarget wanted{target.n_classes(), {}};
  if (target.has_classes()) return wanted;
  for (int q = 0; q < target.n_outputs(); ++q) {
    double low = target.number(0, q), high = low;
    for (std::size_t i = 1; i < target.n_rows(); ++i) {
      low = std::min(low, target.number(i, q));
      high = std::max(high, target.number(i, q));
    }
    const bool centred = node.criterion() == CriterionKind::squared_error;
    wanted.centre.push_back(centred ? centre_of(target.mean(q), low, high) : 0.0);
  }
  return wanted;
}

LineRow line_row(const Node& node, std::size_t i, double at) {
  const NodeTarget& target = node.target();
  LineRow row{at, node.problem().data().number_of(node.columns().row(i))};
  row.weight = target.weight_of(i);
  if (target.has_classes())
    row.label = target.label()[i];
  else
    row.numbers = target.numbers(i);
  return row;
}

namespace {

std::optional<Split> exact_threshold(const Node& node, const Node& sample,
                                     const std::vector<double>& coef, const ChildLimits& limits) {
  const std::vector<double> places = node.columns().projection(coef);
  LineBins bins(line_target(node), edges_between(sample.columns().projection(coef), kLineBins));
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

std::optional<Split> Search::finished(const NodePointer& node, const NodePointer& sample,
                                      const Split& split) const {
  std::optional<Split> end;
  if (split.n_vectors() > 1) {
    if (has_own_finish()) return finish_on_category(*node, group_with(*node, split.columns[0]));
    end = split;
    end->score = score_of(*node, children_of(*node, split));
    return end;
  }
  const std::vector<double> coef = direction_of(*node, split);
  if (!has_own_finish()) {
    end = exact_threshold(*node, *sample, coef, limits_at(*node));
  } else if (const auto found =
                 finish_on_line(*node->with_columns(node->columns().projection(coef)))) {
    end = hyperplane(coef, found->offsets[0], found->score);
  }
  if (end) end->legacy = split.legacy;
  return end;
}

std::optional<Split> Search::find_on_sample(const NodePointer& node, const NodePointer& sample,
                                            const SearchContext& context) const {
  std::optional<Split> best;
  for (const Proposal& proposal : propose(sample, context))
    keep_better(best, proposal.by->finished(node, sample, proposal.split));
  return best;
}

}  // namespace aslant
