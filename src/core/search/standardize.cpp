// The inner search sees z = (x - mean) / sd over the present values; missing values are zero. Its
// test w . z <= t is (w / sd) . x <= t + sum w mean / sd.

#include "search/standardize.hpp"

#include <cmath>

#include "node/moments.hpp"
#include "search/least_squares_split.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

// Rescales to present values: a missing value sits at the mean and adds no squares.
Spread of_present(const Node& node, int column, Spread scale) {
  scale.deviation /= std::sqrt(node.columns().share_present(column));
  return scale;
}

// The second indicator of a two-level category is redundant: it gets no scale.
std::vector<Spread> scales_of(const Node& node) {
  std::vector<Spread> scales(node.n_columns());
  for (int j : node.columns().numeric()) scales[j] = of_present(node, j, spread(node, j));
  for (const CategoryGroup& group : node.columns().groups()) {
    const std::vector<Spread> of_level = spreads(node, group);
    for (int level = 0; level < (group.n_levels == 2 ? 1 : group.n_levels); ++level) {
      const int j = group.first_column + level;
      scales[j] = of_present(node, j, of_level[level]);
    }
  }
  return scales;
}

Split mapped_back(Split split, const std::vector<Spread>& scales) {
  // A machine adds its offset to the sum, a hyperplane compares the sum with it.
  const double sign = split.n_vectors() == 1 ? 1.0 : -1.0;
  split.keep_terms([&](int column, double) { return scales[column].deviation > 0.0; });
  for (int v = 0; v < split.n_vectors(); ++v)
    for (std::int64_t e = split.start[v]; e < split.start[v + 1]; ++e) {
      const Spread& scale = scales[split.columns[e]];
      split.coefs[e] /= scale.deviation;
      split.offsets[v] += sign * split.coefs[e] * scale.mean;
    }
  return split;
}

// The inner legacy refers to the coordinates of its node, so descendants keep them.
struct Coordinates : Legacy {
  Coordinates(const Search* owner, std::vector<Spread> scales_then,
              std::shared_ptr<const Legacy> left)
      : Legacy(owner), scales(std::move(scales_then)), inner(std::move(left)) {}
  std::vector<Spread> scales;
  std::shared_ptr<const Legacy> inner;
};

}  // namespace

std::optional<Split> Standardize::find(const NodePointer& node,
                                       const SearchContext& context) const {
  const auto* inherited = context.legacy_of<Coordinates>(*this);
  const std::vector<Spread> scales = inherited ? inherited->scales : scales_of(*node);
  const SearchContext inner = context.below(0).with_legacy(inherited ? inherited->inner : nullptr);
  std::optional<Split> split = search_->find(node->rescaled(scales), inner);
  if (!split) return split;
  split = mapped_back(std::move(*split), scales);
  if (split->legacy) split->legacy = std::make_shared<Coordinates>(this, scales, split->legacy);
  return split;
}

const ViewSearch* Standardize::of_small_nodes() const {
  const auto* regression = dynamic_cast<const LeastSquaresSplit*>(search_.get());
  return regression ? regression->of_small_standardized_nodes() : nullptr;
}

namespace {

const RegisteredSearch standardize_registered("Standardize", [](Options& options) {
  return std::make_shared<Standardize>(options.search("search"));
});

}  // namespace

}  // namespace aslant
