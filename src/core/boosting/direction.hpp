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
  // A row on a direction: where the means of its bins are, how far the row may be from there.
  struct Place {
    float value, radius;
    Derivatives derivatives;
  };
  // Buffers, used again by later trees.
  struct Memory {
    std::vector<Place> places;
    std::vector<std::uint8_t> bin;
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
  // Solves for the standardized coefficients; empty if there are none.
  std::vector<double> direction(const std::vector<std::uint32_t>& sample,
                                const std::vector<int>& features, int max_features) const;
  std::vector<double> moments(const std::vector<std::uint32_t>& sample,
                              const std::vector<int>& features) const;
  bool promises(const SplitNode& node, const NodeRows& rows,
                const std::vector<std::uint32_t>& sample, double least_gain, ObliqueSplit split);
  void place(const NodeRows& rows, const ObliqueSplit& split);
  std::vector<GradientSums> add_to_bins(std::size_t n_rows);
  void find_threshold(const SplitNode& node, const SplitRules& rules,
                      const std::vector<GradientSums>& bins, double least_gain,
                      ObliqueSplit& split) const;
  void put_between(std::size_t n_rows, ObliqueSplit& split) const;
  void divide(const NodeRows& rows, ObliqueSplit& split, std::uint8_t* is_left) const;

  struct Extent {
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();

    void add(float x) {
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
  };

  const BinnedFeatures& binned_;
  SplitRules rules_;
  ThreadPool& pool_;
  Extent extent_;        // of the places
  double center_ = 0.0;  // projection of the place 0
  double doubt_ = 0.0;   // rounding errors of places and projections
  Memory& memory_;
};

}  // namespace aslant
