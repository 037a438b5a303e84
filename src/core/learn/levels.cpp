#include "learn/levels.hpp"

#include <algorithm>

namespace aslant {

ColumnsByKind by_kind(const NodeColumns& node, const std::vector<int>& columns) {
  ColumnsByKind kinds;
  for (std::size_t place = 0; place < columns.size();) {
    const LevelColumns* levels = node.levels_of(columns[place]);
    std::size_t end = place + 1;
    while (levels && end < columns.size() && node.levels_of(columns[end]) == levels) ++end;
    if (end - place < 2) {
      kinds.numbers.push_back(place++);
      continue;
    }
    kinds.categories.emplace_back(*levels);
    for (; place < end; ++place)
      kinds.categories.back().use(columns[place] - levels->first_column, place);
  }
  return kinds;
}

std::vector<double> outputs_of(const Node& node, const std::vector<int>& columns,
                               const std::vector<double>& weights) {
  const std::size_t n = node.n_rows(), width = columns.size() + 1;
  const ColumnsByKind kinds = by_kind(node.columns(), columns);
  std::vector<double> outputs(weights.size() / width * n), of_pattern;
  for (std::size_t v = 0; v * width < weights.size(); ++v) {
    const double* w = &weights[v * width + 1];
    double* out = &outputs[v * n];
    std::fill_n(out, n, weights[v * width]);
    for (std::size_t place : kinds.numbers) {
      const double* x = node.column(columns[place]);
      for (std::size_t i = 0; i < n; ++i) out[i] += w[place] * x[i];
    }
    for (const LevelsInUse& levels : kinds.categories) {
      double base = 0.0;
      for (std::size_t c = 0; c < levels.size(); ++c) base += w[levels.place(c)] * levels.off(c);
      of_pattern.assign(levels.n_patterns(), base);
      for (std::size_t c = 0; c < levels.size(); ++c) {
        of_pattern[c + 1] += w[levels.place(c)] * levels.step(c);
        of_pattern[levels.missing()] += w[levels.place(c)] * levels.missing_step(c);
      }
      const std::vector<std::int32_t>& code = *levels.columns().code;
      for (std::size_t i = 0; i < n; ++i) out[i] += of_pattern[levels.pattern(code[i])];
    }
  }
  return outputs;
}

}  // namespace aslant
