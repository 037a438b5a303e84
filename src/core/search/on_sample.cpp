#include "search/on_sample.hpp"

#include "moments.hpp"
#include "moving_plane.hpp"
#include "registry.hpp"

namespace aslant {

namespace {

// Every set of `wanted` rows is equally likely (Knuth's algorithm S); they come in order.
std::vector<std::uint32_t> sample_of(std::size_t n, std::size_t wanted, Rng rng) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; rows.size() < wanted; ++i)
    if (rng.uniform() * static_cast<double>(n - i) < static_cast<double>(wanted - rows.size()))
      rows.push_back(static_cast<std::uint32_t>(i));
  return rows;
}

constexpr int kCycles = 3;
constexpr double kWorthwhile = 1e-3;  // relative gain of a cycle that is followed by another

// From the optimum of the sample to one of all rows: one coefficient after the other, as long as
// the score rises. Columns that the sample gave no coefficient stay out. The plane turns about the
// middle of the sample.
std::optional<Split> climbed(const Node& node, const Node& sample, const Split& start,
                             const ChildLimits& limits, const SearchContext& context) {
  const std::vector<int> columns(start.columns.begin(), start.columns.end());
  const PlaneFeatures features(
      node, columns, [&](int j) { return PlaneFeatures::Scale{quantile(sample, j, 0.5), 1.0}; },
      PlaneFeatures::Keep::few_rows);
  MovingPlane plane(features);
  plane.set(features.coefficients(start));
  double score = start.score;
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    const double before = score;
    for (int m = 0; m < features.size(); ++m) {
      context.supervisor.check();
      ++context.hyperplanes;
      const auto found = plane.along(m, score);
      if (!found || !(found->score > score)) continue;
      plane.move(m, found->alpha);
      score = found->score;
    }
    if (!(score > before * (1.0 + kWorthwhile))) break;
  }
  const Split end = plane.split(score);
  std::vector<double> coef(node.n_columns(), 0.0);
  for (std::size_t c = 0; c < end.columns.size(); ++c) coef[end.columns[c]] = end.coefs[c];
  return node.best_along(coef, node.line_search(limits));
}

}  // namespace

std::optional<Split> OnSample::find(const NodePointer& node, const SearchContext& context) const {
  if (node->n_rows() <= rows_) return search_->find(node, context);
  const NodePointer sample =
      node->sample(sample_of(node->n_rows(), rows_, Rng(subkey(context.key, 0))));
  std::optional<Split> split = search_->find_on_sample(node, sample, context.below(1));
  // What a sample does not show, such as a rare class, all rows may.
  if (!split) return search_->find(node, context.below(2));
  if (climbs_ && split->n_vectors() == 1 && split->columns.size() > 1 && !search_->decides()) {
    std::optional<Split> better =
        climbed(*node, *sample, *split, search_->limits_at(*node), context);
    if (better && better->score > split->score) {
      better->legacy = split->legacy;
      return better;
    }
  }
  return split;
}

namespace {

const RegisteredSearch on_sample_registered("OnSample", [](Options& options) {
  return std::make_shared<OnSample>(options.search("search"),
                                    static_cast<std::size_t>(options.whole("rows", 2)),
                                    options.flag("climbs"));
});

}  // namespace

}  // namespace aslant
