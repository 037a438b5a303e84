#include "search/best_of.hpp"

#include <algorithm>

#include "criteria/best_possible.hpp"
#include "support/registry.hpp"

namespace aslant {

BestOf::BestOf(std::vector<SearchPointer> searches) : searches_(std::move(searches)) {
  std::vector<const ViewSearch*> of_small_nodes;
  for (const SearchPointer& search : searches_) {
    of_small_nodes.push_back(small_node_search(*search));
    if (of_small_nodes.back() == nullptr) return;
  }
  of_small_nodes_ = std::make_unique<BestOfSmallNodes>(std::move(of_small_nodes));
}

bool BestOfSmallNodes::find_in(const NodeView& node, const SearchContext& context,
                               Split& split) const {
  const double enough = best_possible(node.rows(), node.criterion(), node.limits());
  Split found;
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
  if (searches_.size() > 1) node->columns().gather_numbers();
  const double enough =
      best_possible(node->target().sweep_rows(), node->criterion(), node->limits());
  std::optional<Split> best;
  for (std::size_t i = 0; i < searches_.size() && !(best && best->score >= enough); ++i)
    keep_better(best, searches_[i]->find(node, context.below(i)));
  return best;
}

namespace {

const RegisteredSearch best_of_registered("BestOf", [](Options& options) {
  return std::make_shared<BestOf>(options.searches("searches"));
});

}  // namespace

}  // namespace aslant
