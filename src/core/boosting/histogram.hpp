// Sums of gradients and hessians by bin.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "boosting/binned_features.hpp"
#include "support/parallel.hpp"

namespace aslant {

// The rows of a bin, a child or a node. Four numbers, so that a row is added by one vector
// instruction.
struct alignas(32) GradientSums {
  double gradient = 0.0, hessian = 0.0, n_rows = 0.0, unused = 0.0;

  GradientSums& operator+=(const GradientSums& other) {
    gradient += other.gradient;
    hessian += other.hessian;
    n_rows += other.n_rows;
    return *this;
  }
  GradientSums operator-(const GradientSums& other) const {
    return {gradient - other.gradient, hessian - other.hessian, n_rows - other.n_rows, 0.0};
  }
};

// The bins of all features, one after the other: see BinnedFeatures::first_bin.
using Histogram = std::vector<GradientSums>;

// parent - child, in the memory of the parent.
void subtract_bins(const GradientSums* child, std::size_t n_bins, GradientSums* parent);

class HistogramBuilder {
 public:
  HistogramBuilder(const BinnedFeatures& binned, ThreadPool& pool) : binned_(binned), pool_(pool) {}

  // Adds up rows from scratch. Threads share the features, so the order of the sums is that of the
  // rows.
  void build(const std::uint32_t* rows, std::size_t n_rows, Histogram& histogram) const;

 private:
  const BinnedFeatures& binned_;
  ThreadPool& pool_;
};

}  // namespace aslant
