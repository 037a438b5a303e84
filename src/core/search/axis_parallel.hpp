// The best test of one feature.
#pragma once

#include "search.hpp"
#include "search/few_rows.hpp"

namespace aslant {

class AxisParallel : public Search {
 public:
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  const ViewSearch* of_small_nodes() const override { return &of_few_rows_; }

 private:
  FewRows of_few_rows_;
};

// The best threshold on x, the values of a column; a score below `floor` need not be found.
std::optional<Split> best_threshold(const Node& node, const LineSearch& search, int column,
                                    const double* x, double floor = LineSearch::kAnyScore);

// The best subset of a category's levels.
std::optional<Split> best_subset(const Node& node, const CategoryGroup& group);

// Calls visit(i, x) for the i-th numeric column and its values, which are not kept: columns are
// read a few at a time, by several threads where that is worth it.
template <class Visit>
void for_each_number(const Node& node, const SearchContext& context, const Visit& visit) {
  const NodeColumns& columns = node.columns();
  const std::size_t n = columns.numeric().size(), together = columns.peek_width();
  const auto n_parts = static_cast<int>((n + together - 1) / together);
  context.share(n_parts, node.n_rows() * n, [&](int part) {
    static thread_local std::vector<double> scratch;
    context.supervisor.check();
    const std::size_t first = part * together, count = std::min(together, n - first);
    const std::vector<const double*> values = columns.peek(first, count, scratch);
    for (std::size_t c = 0; c < count; ++c) visit(first + c, values[c]);
  });
}

}  // namespace aslant
