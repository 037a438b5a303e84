#include "search/best_of.hpp"

#include <algorithm>

namespace aslant {

std::optional<Split> BestOf::find(const std::shared_ptr<const Node>& node,
                                  const SearchContext& context) const {
  std::optional<Split> best;
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    std::optional<Split> split = searches_[i]->find(node, context.below(i));
    if (split && (!best || split->score > best->score)) best = std::move(split);
  }
  return best;
}

bool BestOf::reads_indicators() const {
  return std::any_of(searches_.begin(), searches_.end(),
                     [](const auto& search) { return search->reads_indicators(); });
}

}  // namespace aslant
