#include "target.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aslant {

namespace {

constexpr double kMostTimes = 1 << 20;

bool is_whole(double value) {
  return value == std::floor(value) && value <= kMostTimes;
}

}  // namespace

// The unit of a class is 1 if all its weights are whole, else the smallest of them.
void Target::find_units() {
  times.clear();
  unit.clear();
  countable = has_classes();
  if (weight.empty() || !countable) return;
  std::vector<double> smallest(n_classes, std::numeric_limits<double>::infinity());
  std::vector<char> whole(n_classes, 1);
  for (std::size_t i = 0; i < weight.size(); ++i) {
    if (weight[i] > 0.0) smallest[label[i]] = std::fmin(smallest[label[i]], weight[i]);
    if (!is_whole(weight[i])) whole[label[i]] = 0;
  }
  unit.assign(n_classes, 1.0);
  for (int k = 0; k < n_classes; ++k)
    if (!whole[k]) unit[k] = smallest[k];
  times.resize(weight.size());
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const double count = weight[i] / unit[label[i]];
    if (!is_whole(count) || count * unit[label[i]] != weight[i]) {
      countable = false;
      times.clear();
      unit.clear();
      return;
    }
    times[i] = static_cast<std::uint32_t>(count);
  }
  if (std::all_of(times.begin(), times.end(), [](std::uint32_t one) { return one == 1; }))
    times.clear();
}

void Target::set_units(bool are_countable, std::vector<double> units) {
  countable = are_countable && has_classes();
  times.clear();
  unit.clear();
  if (!countable || weight.empty()) return;
  unit = std::move(units);
  times.resize(weight.size());
  for (std::size_t i = 0; i < weight.size(); ++i)
    times[i] = static_cast<std::uint32_t>(weight[i] / (unit.empty() ? 1.0 : unit[label[i]]));
}

}  // namespace aslant
