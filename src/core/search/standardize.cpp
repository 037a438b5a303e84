// The inner search sees z = (x - mean) / sd at the node, the standard deviation being that of the
// values that are present; missing ones are zero. Its test w . z <= t is the test
// (w / sd) . x <= t + sum w mean / sd of the node's own columns.

#include "search/standardize.hpp"

#include <cmath>

#include "moments.hpp"
#include "registry.hpp"
#include "search/least_squares_split.hpp"

namespace aslant {

namespace {

// A missing value stands at the mean and adds nothing to the squares.
Spread of_present(const Node& node, int column, Spread scale) {
  scale.deviation /= std::sqrt(node.columns().share_present(column));
  return scale;
}

// The second indicator of a category with two levels says the opposite of the first: it has none.
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
  const std::size_t width = split.columns.size();
  for (int v = 0; v < split.n_vectors(); ++v) {
    // A machine adds its offset to the sum, a hyperplane compares the sum with it.
    const double sign = split.n_vectors() == 1 ? 1.0 : -1.0;
    for (std::size_t c = 0; c < width; ++c) {
      const Spread& scale = scales[split.columns[c]];
      double& coef = split.coefs[v * width + c];
      if (!(scale.deviation > 0.0)) {
        coef = 0.0;
        continue;
      }
      coef /= scale.deviation;
      split.offsets[v] += sign * coef * scale.mean;
    }
  }
  return split;
}

// What the inner search left to the nodes below is said in the coordinates of its node: they keep
// them.
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
