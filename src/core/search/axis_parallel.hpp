// The best univariate split: a threshold, or a subset of a category's levels.
#pragma once

#include "search/capabilities.hpp"
#include "search/few_rows.hpp"
#include "support/workspace.hpp"

namespace aslant {

// Traits: both targets; reads sparse tables; does not decide; deterministic; HasSmallNodeSearch.
// Reads: one column or category at a time, targets, weights, limits.
// Writes: one-term hyperplanes or level subsets; score = gain; no legacy.
class AxisParallel : public Search, public HasSmallNodeSearch {
 public:
  // `sign`, by column: 1 where the mean target of child 1 must not be below that of child 0, -1
  // where not above, 0 where any order is allowed. Empty: any.
  explicit AxisParallel(std::vector<int> sign = {}) : sign_(sign), of_few_rows_(std::move(sign)) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  SearchTraits traits() const override { return {false, true}; }  // reads sparse tables
  const ViewSearch* of_small_nodes() const override { return &of_few_rows_; }

 private:
  std::optional<Split> best_of_sparse_columns(const Node& node, const SearchContext& context) const;
  int order(int column) const { return sign_.empty() ? 0 : sign_[column]; }

  std::vector<int> sign_;
  FewRows of_few_rows_;
};

// The test column <= threshold.
Split threshold_split(int column, const LineOptimum& best);

// Best threshold on the column values x; scores below `floor` need not be found.
std::optional<Split> best_threshold(const Node& node, const LineSearch& search, int column,
                                    const double* x, double floor = kAnyScore);

std::optional<Split> best_subset(const Node& node, const CategoryGroup& group);

// Scratch for columns that are read but not kept.
struct PeekBuffer {
  std::vector<double> values;
};

// Calls visit(i, x) for the i-th numeric column, in parallel if large; x lives during the call.
template <class Visit>
void for_each_number(const Node& node, const SearchContext& context, const Visit& visit) {
  const NodeColumns& columns = node.columns();
  const std::size_t n = columns.numeric().size(), together = columns.peek_width();
  const auto n_parts = static_cast<int>((n + together - 1) / together);
  context.share(n_parts, node.n_rows() * n, [&](int part) {
    context.supervisor.check();
    std::vector<double>& scratch = Workspace::get<PeekBuffer>().values;
    const std::size_t first = part * together, count = std::min(together, n - first);
    const std::vector<const double*> values = columns.peek(first, count, scratch);
    for (std::size_t c = 0; c < count; ++c) visit(first + c, values[c]);
  });
}

}  // namespace aslant
