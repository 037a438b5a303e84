#include "search/random_subset.hpp"

#include <algorithm>

#include "search/forest_split.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

// Tells whether a feature varies at the node.
class Variation {
 public:
  Variation(const Node& node, const NodeView& view) : view_(view) {
    if (!view.is_sparse()) return;
    varies_.assign(node.n_columns(), 0);
    for (int j : node.columns().varying()) varies_[j] = 1;
  }
  bool of(int feature) {
    if (!varies_.empty()) return varies_[view_.first_column(feature)] != 0;
    values_.resize(view_.n_rows());
    view_.read(&feature, 1, values_.data());
    return std::any_of(values_.begin(), values_.end(), [&](double v) { return v != values_[0]; });
  }

 private:
  const NodeView& view_;
  std::vector<char> varies_;  // by column of a sparse table
  std::vector<double> values_;
};

// The columns of randomly drawn features that vary at the node.
std::vector<int> drawn_columns(const Node& node, const NodeView& view, int wanted, Rng rng) {
  RandomOrder order(view.n_features(), rng);
  std::vector<int> columns;
  Variation variation(node, view);
  for (int n = 0; n < wanted && order.left() > 0;) {
    const int feature = order.next();
    if (!variation.of(feature)) continue;
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
  const std::vector<int> columns = drawn_columns(*node, view, wanted, Rng(subkey(context.key, 0)));
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
