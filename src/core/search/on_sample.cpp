#include "search/on_sample.hpp"

#include <algorithm>

#include "moments.hpp"
#include "moving_plane.hpp"
#include "registry.hpp"

namespace aslant {

Lots::Lots(std::uint64_t key, std::size_t wanted, int n_classes)
    : key_(key), wanted_(wanted), of_class_(n_classes) {}

Lots Lots::first(std::uint64_t key, std::size_t wanted) {
  return {subkey(key, 0), wanted, 1};
}

Lots Lots::second(std::uint64_t key, std::size_t wanted, int n_present, int n_classes) {
  constexpr std::size_t kFewest = 100;
  const std::size_t all = std::max(wanted, kFewest);
  if (n_classes == 0) return {subkey(key, 3), all, 1};
  return {subkey(key, 3), std::max<std::size_t>(1, all / n_present), n_classes};
}

void Lots::add(std::uint32_t row, std::uint64_t number, int label) {
  std::vector<Drawn>& heap = of_class_[of_class_.size() == 1 ? 0 : label];
  const Drawn drawn{lot(key_, number), row};
  if (heap.size() < wanted_) {
    heap.push_back(drawn);
    std::push_heap(heap.begin(), heap.end());
  } else if (drawn < heap.front()) {
    std::pop_heap(heap.begin(), heap.end());
    heap.back() = drawn;
    std::push_heap(heap.begin(), heap.end());
  }
}

std::vector<Lots::Drawn> Lots::drawn() const {
  std::vector<Drawn> all;
  for (const std::vector<Drawn>& heap : of_class_) all.insert(all.end(), heap.begin(), heap.end());
  std::sort(all.begin(), all.end(), [](const Drawn& a, const Drawn& b) { return a.row < b.row; });
  return all;
}

namespace {

NodePointer sample_of(const Node& node, Lots lots, const ChildLimits& limits) {
  const NodeTarget& target = node.target();
  for (std::uint32_t i = 0; i < node.n_rows(); ++i)
    lots.add(i, node.problem().data().number_of(node.columns().row(i)),
             target.has_classes() ? target.label()[i] : 0);
  std::vector<std::uint32_t> rows;
  for (const Lots::Drawn& drawn : lots.drawn()) rows.push_back(drawn.row);
  return node.sample(rows, limits);
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
  NodePointer sample = sample_of(*node, Lots::first(context.key, rows_), node->limits());
  std::optional<Split> split = search_->find_on_sample(node, sample, context.below(1));
  if (!split) {  // what a sample does not show, such as a rare class, another may
    const bool classes = node->target().has_classes();
    const int present = classes ? static_cast<int>(node->target().classes_present()) : 0;
    const Lots lots =
        Lots::second(context.key, rows_, present, classes ? node->target().n_classes() : 0);
    sample = sample_of(*node, lots, ChildLimits{});
    split = search_->find_on_sample(node, sample, context.below(2));
    if (!split) return split;
  }
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
