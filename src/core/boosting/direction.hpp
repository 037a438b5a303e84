// The best test of a linear combination at a node: a ridge-Newton direction over drawn features.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "boosting/binned_features.hpp"
#include "boosting/gain.hpp"

namespace aslant {

// The test coef . x <= threshold is child 0.
struct ObliqueSplit {
  double gain = 0.0;
  std::vector<int> features;  // ascending; empty: no split
  std::vector<double> coef;   // in input units
  double threshold = 0.0;
  int last_bin = 0;  // of child 0, among the bins of places
  GradientSums left;

  bool found() const { return !features.empty(); }
};

struct DirectionSettings {
  int n_drawn = 0;       // features drawn at a node; 0: no directions
  int max_features = 0;  // with a coefficient, the largest ones
  std::int64_t min_rows = 0;
};

// Rows of a node.
struct NodeRows {
  const std::uint32_t* number;
  std::size_t size;
};

// Finds directions at one node after the other. A direction and its threshold are chosen on the
// means of bins, which are few cache lines; then rows that these leave in doubt are read exactly.
class DirectionFinder {
 public:
  // Of each row of a node: where the means of its bins are on the direction, and how far the row
  // may be from there. Used again by later trees.
  struct Memory {
    std::vector<std::uint16_t> position;
    std::vector<std::uint8_t> radius;
  };

  DirectionFinder(const BinnedFeatures& binned, const SplitRules& rules, ThreadPool& pool,
                  Memory& memory)
      : binned_(binned), rules_(rules), pool_(pool), memory_(memory) {}

  // The weighted ridge regression of the Newton steps on `features`, drawn from those that may be
  // in directions, and its best threshold. Found if it gains more than `least_gain`; then `is_left`
  // says which rows are child 0.
  ObliqueSplit find(const SplitNode& node, const NodeRows& rows, const std::vector<int>& features,
                    int max_features, double least_gain, std::uint64_t key, std::uint8_t* is_left);

 private:
  // Coefficients of standardized features, the means of these in input units, and the standard
  // deviation of the projections. No coefficients: there is no direction.
  struct Direction {
    std::vector<double> coef, center;
    double deviation = 0.0;
  };
  Direction direction(const std::vector<std::uint32_t>& sample, const std::vector<int>& features,
                      int max_features) const;
  std::vector<double> moments(const std::vector<std::uint32_t>& sample,
                              const std::vector<int>& features) const;

  // What the bins of features add to the place of a row: its position and its radius, two integers
  // in one, so that one addition is enough.
  struct Places {
    std::vector<std::int32_t> terms;
    double unit = 0.0, lowest = 0.0;  // of positions, and the projection of the position 0
    int doubt = 0;                    // rounding errors of positions and projections
    int anywhere = 0;                 // a radius of rows of which nothing is known
  };
  Places places(const ObliqueSplit& split, const std::vector<double>& center,
                double deviation) const;
  static void add_terms(const BinnedFeature& feature, double coef, double center, double farthest,
                        int widest, std::int32_t* terms);
  bool promises(const SplitNode& node, const NodeRows& rows,
                const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& second,
                const Places& places, double least_gain, ObliqueSplit split);
  std::vector<GradientSums> add_to_bins(const NodeRows& rows, const ObliqueSplit& split,
                                        const Places& places);
  void find_threshold(const SplitNode& node, const SplitRules& rules,
                      const std::vector<GradientSums>& bins, double least_gain,
                      ObliqueSplit& split) const;
  void divide(const NodeRows& rows, int threshold, const Places& places, ObliqueSplit& split,
              std::uint8_t* is_left) const;

  const BinnedFeatures& binned_;
  SplitRules rules_;
  ThreadPool& pool_;
  Memory& memory_;
};

}  // namespace aslant
