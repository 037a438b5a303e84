#include "search/few_rows.hpp"

#include <algorithm>
#include <numeric>

#include "best_possible.hpp"
#include "cut.hpp"

namespace aslant {

bool FewRows::suits(const Node& node) {
  return node.n_rows() <= Cutter::kFew && !node.target().has_classes() &&
         node.columns().groups().empty();
}

bool FewRows::find_in(const NodeView& node, const SearchContext& context, Hyperplane& split) const {
  constexpr int kTogether = 16;  // features that are read at a time: they stay in cache
  static thread_local std::vector<double> values;
  static thread_local std::vector<int> features;
  const std::size_t n = node.n_rows();
  values.resize(kTogether * n);
  const Cutter cutter(node);
  const double enough = best_possible(node.rows(), node.criterion(), node.limits());
  Cut best;
  int chosen = -1;
  const auto settled = [&] { return chosen >= 0 && best.score >= enough; };
  for (int first = 0; first < node.n_features() && !settled(); first += kTogether) {
    const int count = std::min(kTogether, node.n_features() - first);
    features.resize(count);
    std::iota(features.begin(), features.end(), first);
    node.read(features.data(), count, values.data());
    for (int c = 0; c < count && !settled(); ++c) {
      Cut cut;
      if (!cutter.best(values.data() + c * n, 0.0, cut) || (chosen >= 0 && cut.score <= best.score))
        continue;
      best = cut;
      chosen = first + c;
    }
  }
  context.hyperplanes += 1;
  if (chosen < 0) return false;
  split.clear();
  split.add(node.first_column(chosen), 1.0);
  split.threshold = best.threshold;
  split.score = best.score;
  return true;
}

}  // namespace aslant
