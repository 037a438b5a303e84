// What trees predict, and what a sweep over rows accumulates of it.
//
// The statistics of a set of rows are a few numbers that add up: with classes the weight of each
// class, with numbers (weight, sum) or, for several outputs, (weight, sum, sum, ...). Criteria,
// line searches, bins and the values of nodes are made of nothing else.
#pragma once

#include <cstdint>
#include <vector>

namespace aslant {

// The targets and weights of all rows.
struct Target {
  int n_classes = 0;                // 0: the targets are numbers
  std::vector<std::int32_t> label;  // classes: 0 .. n_classes - 1, one a row
  int n_outputs = 0;                // 0: the targets are classes
  std::vector<double> number;       // numbers: n_outputs a row, row after row
  std::vector<double> weight;       // empty: every row weighs 1

  // Where every weight is a whole number of times a unit of its class, rows can be counted, and
  // counting is exact in any order. Class weights are such units. An empty one: all 1.
  bool countable = true;
  std::vector<std::uint32_t> times;
  std::vector<double> unit;

  bool has_classes() const { return n_outputs == 0; }
  int width() const { return has_classes() ? n_classes : n_outputs + 1; }
  double weight_of(std::int64_t row) const { return weight.empty() ? 1.0 : weight[row]; }

  // Adds a row of this weight to statistics.
  template <class Sum>
  void add(std::size_t row, double row_weight, Sum* statistics) const {
    if (has_classes()) {
      statistics[label[row]].add(row_weight, 1.0);
      return;
    }
    statistics[0].add(row_weight, 1.0);
    for (int q = 0; q < n_outputs; ++q)
      statistics[q + 1].add(number[row * static_cast<std::size_t>(n_outputs) + q], row_weight);
  }

  // Finds out whether the weights are countable; they must be set.
  void find_units();

  // Takes the units that others have found for weights of which these are some.
  void set_units(bool are_countable, std::vector<double> units);
};

// The rows a sweep runs over.
struct SweepRows {
  std::size_t n = 0;
  const double* total = nullptr;   // statistics of all rows together
  int width = 0;                   // of the statistics
  const double* weight = nullptr;  // null: every row weighs 1
  // Classes: codes below `width`. If `countable`, the weight is times * unit[label]; null: 1.
  const std::int32_t* label = nullptr;
  bool countable = false;
  const std::uint32_t* times = nullptr;
  const double* unit = nullptr;
  // Numbers: width - 1 of them a row.
  const double* number = nullptr;

  double weight_of(std::size_t row) const { return weight ? weight[row] : 1.0; }
  std::int64_t times_of(std::size_t row) const { return times ? times[row] : 1; }
  double unit_of(int k) const { return unit ? unit[k] : 1.0; }
};

}  // namespace aslant
