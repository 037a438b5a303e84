#include "search/on_sample.hpp"

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

// The split with what all rows say: the best threshold along a hyperplane, the score of a machine.
std::optional<Split> finished_on(const Node& node, Split split) {
  if (split.n_vectors() > 1) {
    split.score = node.score(node.children_of(split));
    return split;
  }
  std::vector<double> coef(node.n_columns(), 0.0);
  for (std::size_t c = 0; c < split.columns.size(); ++c) coef[split.columns[c]] = split.coefs[c];
  Split finished;
  if (!node.best_along(coef, finished)) return std::nullopt;
  finished.legacy = split.legacy;
  return finished;
}

}  // namespace

std::optional<Split> OnSample::find(const std::shared_ptr<const Node>& node,
                                    const SearchContext& context) const {
  if (node->n_rows() <= rows_) return search_->find(node, context);
  const auto sample = std::make_shared<const Node>(
      *node, sample_of(node->n_rows(), rows_, Rng(subkey(context.key, 0))));
  const std::optional<Split> split = search_->find(sample, context.below(1));
  std::optional<Split> finished;
  if (split && !split->columns.empty()) finished = finished_on(*node, *split);
  // What a sample does not show, such as a rare class, all rows may.
  return finished ? finished : search_->find(node, context.below(2));
}

}  // namespace aslant
