#include "data/table.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace aslant {

Columns::Columns(std::vector<std::int32_t> features, std::vector<std::int32_t> levels)
    : feature(std::move(features)),
      level(std::move(levels)),
      any_levels_(std::any_of(level.begin(), level.end(), [](std::int32_t l) { return l >= 0; })) {}

void Columns::check(int n_features) const {
  const auto require = [](bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
  };
  require(feature.size() == level.size(), "columns need a feature and a level each");
  for (std::size_t j = 0; j < feature.size(); ++j) {
    require(feature[j] >= 0 && feature[j] < n_features,
            "a column reads a feature that is not there");
    const bool same = j > 0 && feature[j] == feature[j - 1];
    require(same || feature[j] == (j > 0 ? feature[j - 1] + 1 : 0),
            "columns must stand in the order of the features, each feature having one");
    require(same ? level[j] == level[j - 1] + 1 && level[j] > 0 : level[j] == 0 || level[j] == -1,
            "the levels of a categorical feature must be numbered from 0 and stand together");
  }
  require(!feature.empty() && feature.back() == n_features - 1,
          "there must be a column for every feature");
}

}  // namespace aslant
