#include "search/best_of.hpp"

#include <algorithm>

#include "best_possible.hpp"
#include "registry.hpp"

namespace aslant {

BestOf::BestOf(std::vector<SearchPointer> searches) : searches_(std::move(searches)) {
  std::vector<const ViewSearch*> of_small_nodes;
  for (const SearchPointer& search : searches_) {
    of_small_nodes.push_back(search->of_small_nodes());
    if (of_small_nodes.back() == nullptr) return;
  }
  of_small_nodes_ = std::make_unique<BestOfSmallNodes>(std::move(of_small_nodes));
}

bool BestOfSmallNodes::find_in(const NodeView& node, const SearchContext& context,
                               Hyperplane& split) const {
  const double enough = best_possible(node.rows(), node.criterion(), node.limits());
  Hyperplane found;
  bool any = false;
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    if (!searches_[i]->find_in(node, context.below(i), found)) continue;
    if (any && !(found.score > split.score)) continue;
    std::swap(split, found);
    any = true;
    if (split.score >= enough) break;
  }
  return any;
}

std::optional<Split> BestOf::find(const NodePointer& node, const SearchContext& context) const {
  // One search after the other reads the columns: then they are gathered once.
  const std::vector<int>& numeric = node->columns().numeric();
  if (searches_.size() > 1 && !numeric.empty()) node->column(numeric.front());
  const double enough =
      best_possible(node->target().sweep_rows(), node->criterion(), node->limits());
  std::optional<Split> best;
  for (std::size_t i = 0; i < searches_.size() && !(best && best->score >= enough); ++i)
    keep_better(best, searches_[i]->find(node, context.below(i)));
  return best;
}

std::vector<Proposal> BestOf::propose(const NodePointer& sample,
                                      const SearchContext& context) const {
  std::vector<Proposal> all;
  for (std::size_t i = 0; i < searches_.size(); ++i)
    for (Proposal& proposal : searches_[i]->propose(sample, context.below(i)))
      all.push_back(std::move(proposal));
  return all;
}

std::vector<const Search*> BestOf::parts() const {
  std::vector<const Search*> all;
  for (const SearchPointer& search : searches_)
    for (const Search* part : search->parts()) all.push_back(part);
  return all;
}

bool BestOf::finishes_on_lines() const {
  return std::all_of(searches_.begin(), searches_.end(),
                     [](const SearchPointer& search) { return search->finishes_on_lines(); });
}

// Each search finishes by its own rules what it found on the sample.
std::optional<Split> BestOf::find_on_sample(const NodePointer& node, const NodePointer& sample,
                                            const SearchContext& context) const {
  std::optional<Split> best;
  for (std::size_t i = 0; i < searches_.size(); ++i)
    keep_better(best, searches_[i]->find_on_sample(node, sample, context.below(i)));
  return best;
}

namespace {

const RegisteredSearch best_of_registered("BestOf", [](Options& options) {
  return std::make_shared<BestOf>(options.searches("searches"));
});

}  // namespace

}  // namespace aslant
