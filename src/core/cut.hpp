// Where to cut a line of values, fast: for searches that look at many lines in many small nodes.
//
// Few values are sorted and every place between neighbours is tried; many are counted in bins of
// equal width, and the places between bins are tried. LineSearch is exact for any number of values,
// and takes its time.
#pragma once

#include <cstdint>
#include <vector>

#include "node_view.hpp"
#include "rng.hpp"

namespace aslant {

// A place on a line. Between bins, the threshold is found when it is known to be the best.
struct Cut {
  double score = 0.0;
  double threshold = 0.0;
  int bin = -1;  // the last bin below the cut; -1: the threshold is known
  double low = 0.0, per_width = 0.0;
};

// A value and its row, while values are sorted.
struct Placed {
  double at;
  std::uint32_t row;
};

class Cutter {
 public:
  static constexpr std::size_t kFew = 256;  // values that are sorted; more are counted in bins

  explicit Cutter(const NodeView& node) : rows_(node.rows()), node_(node) {}

  // The best cut of the values, one a row; values closer than `tolerance` are not parted.
  // False if there is none.
  bool best(const double* values, double tolerance, Cut& cut) const;

  // A cut at random between the lowest and the highest value.
  bool at_random(const double* values, double tolerance, Rng& rng, Cut& cut) const;

  // Midway between the neighbours of the cut.
  double threshold(const Cut& cut, const double* values) const;

 private:
  bool best_of_few(const double* values, double tolerance, Cut& cut) const;
  bool best_of_few_numbers(const Placed* placed, double tolerance, Cut& cut) const;
  bool best_of_bins(const double* values, Cut& cut) const;
  double total_weight() const;

  const SweepRows& rows_;
  const NodeView& node_;
};

}  // namespace aslant
