#include "search.hpp"

#include <algorithm>

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

std::optional<Split> Search::find_on_sample(const NodePointer& node, const NodePointer& sample,
                                            const SearchContext& context) const {
  std::optional<Split> split = find(sample, context);
  if (!split || split->columns.empty()) return std::nullopt;
  if (split->n_vectors() > 1) {
    split->score = score_of(*node, children_of(*node, *split));
    return split;
  }
  std::vector<double> coef(node->n_columns(), 0.0);
  for (std::size_t c = 0; c < split->columns.size(); ++c) coef[split->columns[c]] = split->coefs[c];
  std::optional<Split> finished = node->best_along(coef, node->line_search(limits_at(*node)));
  if (finished) finished->legacy = split->legacy;
  return finished;
}

}  // namespace aslant
