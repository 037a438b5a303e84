#include "search/best_of.hpp"

#include <algorithm>

#include "registry.hpp"

namespace aslant {

std::optional<Split> BestOf::find(const NodePointer& node, const SearchContext& context) const {
  std::optional<Split> best;
  for (std::size_t i = 0; i < searches_.size(); ++i)
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
