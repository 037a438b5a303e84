#include "search/search.hpp"

#include <algorithm>

namespace aslant {

void keep_only(const std::vector<int>& columns, Split& split) {
  split.keep_terms([&](int column, double) {
    return std::binary_search(columns.begin(), columns.end(), column);
  });
  split.legacy.reset();
  split.keeps_empty = false;
}

std::vector<double> direction_of(const Node& node, const Split& split) {
  std::vector<double> coef(node.n_columns(), 0.0);
  for (std::size_t c = 0; c < split.columns.size(); ++c) coef[split.columns[c]] = split.coefs[c];
  return coef;
}

}  // namespace aslant
