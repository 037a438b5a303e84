// C. E. Brodley and P. E. Utgoff, Multivariate Decision Trees, Machine Learning 19:45-77, 1995,
// section 4.5, on CART: linear combinations read only numeric features and are fitted to rows
// without missing values. The score is the gain on all rows.

#include "search/complete_cases.hpp"

#include "node/partition.hpp"
#include "support/registry.hpp"

namespace aslant {

std::optional<Split> CompleteCases::find(const NodePointer& node,
                                         const SearchContext& context) const {
  const std::vector<int>& numbers = node->columns().numeric();
  const std::vector<std::uint32_t> rows = node->columns().complete_rows();
  if (numbers.empty() || rows.size() < 2) return std::nullopt;
  const bool all_rows = rows.size() == node->n_rows();
  if (all_rows && node->columns().groups().empty()) return search_->find(node, context);
  const NodePointer some = all_rows ? node : node->sample(rows, node->limits());
  std::optional<Split> split = search_->find(some->restricted_to(numbers), context);
  if (!split) return split;
  keep_only(numbers, *split);
  const std::vector<Part> children = children_of(*node, *split);
  for (const Part& child : children)
    if (!is_allowed(*node, child, search_->limits_at(*node))) return std::nullopt;
  split->score = score_of(*node, children);
  return split;
}

namespace {

const RegisteredSearch complete_cases_registered("CompleteCases", [](Options& options) {
  return std::make_shared<CompleteCases>(options.search("search"));
});

}  // namespace

}  // namespace aslant
