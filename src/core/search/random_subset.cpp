#include "search/random_subset.hpp"

#include <algorithm>

#include "search/forest_split.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

bool is_constant(const NodeView& view, int feature, std::vector<double>& values) {
  values.resize(view.n_rows());
  view.read(&feature, 1, values.data());
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values[0]; });
}

// The columns of randomly drawn features that vary at the node.
std::vector<int> drawn_columns(const NodeView& view, int wanted, Rng rng) {
  RandomOrder order(view.n_features(), rng);
  std::vector<int> columns;
  std::vector<double> scratch;
  for (int n = 0; n < wanted && order.left() > 0;) {
    const int feature = order.next();
    if (is_constant(view, feature, scratch)) continue;
    ++n;
    for (int level = 0; level < std::max(1, view.n_levels(feature)); ++level)
      columns.push_back(view.first_column(feature) + level);
  }
  std::sort(columns.begin(), columns.end());
  return columns;
}

}  // namespace

// The inner search sees all other features as constant.
std::optional<Split> RandomSubset::find(const NodePointer& node,
                                        const SearchContext& context) const {
  const NodeWithColumns view(*node);
  const double share = FeatureShare{max_features_}.of(view.n_features());
  const int wanted = std::max(1, static_cast<int>(share));
  if (wanted >= view.n_features()) return search_->find(node, context.below(1));
  const std::vector<int> columns = drawn_columns(view, wanted, Rng(subkey(context.key, 0)));
  if (columns.empty()) return std::nullopt;
  std::optional<Split> split = search_->find(node->restricted_to(columns), context.below(1));
  if (split) keep_only(columns, *split);
  return split;
}

namespace {

const RegisteredSearch random_subset_registered("RandomSubset", [](Options& options) {
  return std::make_shared<RandomSubset>(options.search("search"), options.number("max_features"));
});

}  // namespace

}  // namespace aslant
