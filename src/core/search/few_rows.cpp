#include "search/few_rows.hpp"

#include <algorithm>
#include <numeric>

#include "criteria/best_possible.hpp"
#include "support/workspace.hpp"

namespace aslant {

bool FewRows::suits(const Node& node) {
  return node.n_rows() <= kMostRows && !node.target().has_classes() &&
         node.columns().groups().empty() && !node.columns().is_sparse();
}

bool FewRows::find_in(const NodeView& node, const SearchContext& context, Split& split) const {
  constexpr int kTogether = 16;  // features read at a time: they fit in cache
  struct Buffers {
    std::vector<double> values;
    std::vector<int> features;
  };
  auto& [values, features] = Workspace::get<Buffers>();
  const std::size_t n = node.n_rows();
  values.resize(kTogether * n);
  const LineSearch search(node.rows(), node.criterion(), node.limits());
  const double enough = best_possible(node.rows(), node.criterion(), node.limits());
  LineOptimum best{0.0, kAnyScore};
  int chosen = -1;
  const auto settled = [&] { return chosen >= 0 && best.score >= enough; };
  for (int first = 0; first < node.n_features() && !settled(); first += kTogether) {
    const int count = std::min(kTogether, node.n_features() - first);
    features.resize(count);
    std::iota(features.begin(), features.end(), first);
    node.read(features.data(), count, values.data());
    for (int c = 0; c < count && !settled(); ++c) {
      const int order = sign_.empty() ? 0 : sign_[node.first_column(first + c)];
      const auto found = search.ordered(order).threshold(values.data() + c * n, 0.0, best.score);
      if (!found || (chosen >= 0 && found->score <= best.score)) continue;
      best = *found;
      chosen = first + c;
    }
  }
  context.hyperplanes += 1;
  if (chosen < 0) return false;
  split.clear();
  split.add(node.first_column(chosen), 1.0);
  split.end_vector(best.alpha);
  split.score = best.score;
  return true;
}

}  // namespace aslant
