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
  GradientSums left;

  bool found() const { return !features.empty(); }
};

struct DirectionSettings {
  int n_drawn = 0;       // features drawn at a node; 0: no directions
  int max_features = 0;  // with a coefficient, the largest ones
  std::int64_t min_rows = 0;
};

// Finds directions at one node after the other; keeps the projections of the last one.
class DirectionFinder {
 public:
  // Buffers, used again by later trees.
  struct Memory {
    std::vector<double> projection;
    std::vector<std::uint8_t> bin;
  };

  DirectionFinder(const BinnedFeatures& binned, const SplitRules& rules, ThreadPool& pool,
                  Memory& memory)
      : binned_(binned), rules_(rules), pool_(pool), memory_(memory) {}

  // The weighted ridge regression of the Newton steps on `features`, drawn from those that may be
  // in directions, and its best threshold.
  ObliqueSplit find(const SplitNode& node, const Derivatives* of_row, const std::uint32_t* rows,
                    std::size_t n_rows, const std::vector<int>& features, int max_features,
                    std::uint64_t key);

  // What the test of the last split reads off row i of the node.
  double projection(std::size_t i) const { return memory_.projection[i]; }

 private:
  // Solves for the standardized coefficients; empty if there are none.
  std::vector<double> direction(const Derivatives* of_row, const std::uint32_t* rows,
                                std::size_t n_rows, const std::vector<int>& features,
                                int max_features, std::uint64_t key) const;
  std::vector<double> moments(const Derivatives* of_row, const std::vector<std::uint32_t>& rows,
                              const std::vector<int>& features) const;
  void project(const std::uint32_t* rows, std::size_t n_rows, const ObliqueSplit& split);
  void find_threshold(const SplitNode& node, const Derivatives* of_row, const std::uint32_t* rows,
                      std::size_t n_rows, ObliqueSplit& split);

  struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double x) {
      low = x < low ? x : low;
      high = x > high ? x : high;
    }
  };

  const BinnedFeatures& binned_;
  SplitRules rules_;
  ThreadPool& pool_;
  Extent extent_;  // of the projections
  Memory& memory_;
};

}  // namespace aslant
