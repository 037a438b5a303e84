#include "search/on_sample.hpp"

#include "line/moving_plane.hpp"
#include "node/moments.hpp"
#include "search/capabilities.hpp"
#include "search/sample_keys.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

NodePointer sample_of(const Node& node, SampleKeys keys, const ChildLimits& limits) {
  const NodeTarget& target = node.target();
  for (std::uint32_t i = 0; i < node.n_rows(); ++i)
    keys.add(i, node.problem().features().number_of(node.columns().row(i)), target.stratum(i));
  std::vector<std::uint32_t> rows;
  for (const SampleKeys::Drawn& drawn : keys.drawn()) rows.push_back(drawn.row);
  return node.sample(rows, limits);
}

constexpr int kCycles = 3;
constexpr double kWorthwhile = 1e-3;  // relative gain of a cycle that starts another one

// Refines the sample's optimum on all rows by coordinate ascent over its nonzero coefficients. The
// plane turns about the median of the sample.
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
  return node.best_along(direction_of(node, plane.split(score)), node.line_search(limits));
}

}  // namespace

std::optional<Split> OnSample::find(const NodePointer& node, const SearchContext& context) const {
  if (node->n_rows() <= rows_) return search_->find(node, context);
  NodePointer sample = sample_of(*node, SampleKeys::first(context.key, rows_), node->limits());
  std::optional<Split> split = find_on_sample(*search_, node, sample, context.below(1));
  if (!split) {  // the second sample may show what the first misses, such as a rare class
    const bool classes = node->target().has_classes();
    const int present = classes ? static_cast<int>(node->target().classes_present()) : 0;
    const int n_classes = node->target().n_classes();
    sample = sample_of(*node, SampleKeys::second(context.key, rows_, present, n_classes),
                       ChildLimits{});  // all rows decide
    split = find_on_sample(*search_, node, sample, context.below(2));
    if (!split) return split;
  }
  if (climbs_ && split->n_vectors() == 1 && split->columns.size() > 1 &&
      !search_->traits().decides) {
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
