#include "search/best_of.hpp"

#include "registry.hpp"

namespace aslant {

std::optional<Split> BestOf::find(const NodePointer& node, const SearchContext& context) const {
  std::optional<Split> best;
  for (std::size_t i = 0; i < searches_.size(); ++i)
    keep_better(best, searches_[i]->find(node, context.below(i)));
  return best;
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
