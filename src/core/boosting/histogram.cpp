#include "boosting/histogram.hpp"

#include <algorithm>

#include "boosting/blocks.hpp"
#include "tree/lanes.hpp"

namespace aslant {

namespace {

constexpr std::size_t kPrefetched = 16;  // rows ahead

// Adds rows to the bins of features [begin, end).
ASLANT_MULTIVERSION
void add_rows(const std::uint8_t* bins, std::size_t stride, const Derivatives* of_row,
              const std::uint32_t* rows, std::size_t n_rows, const int* first_bin, int begin,
              int end, GradientSums* sums) {
  for (std::size_t i = 0; i < n_rows; ++i) {
    if (i + kPrefetched < n_rows) {
      ASLANT_PREFETCH(bins + rows[i + kPrefetched] * stride + begin);
      ASLANT_PREFETCH(of_row + rows[i + kPrefetched]);
    }
    const std::uint8_t* bin = bins + rows[i] * stride;
    const Derivatives& d = of_row[rows[i]];
    const double added[kLanes] = {d.gradient, d.hessian, 1.0, 0.0};
    Lanes row;
    load_lanes(added, row);
    for (int j = begin; j < end; ++j) {
      double* place = &sums[first_bin[j] + bin[j]].gradient;
      Lanes sum;
      load_lanes(place, sum);
      sum += row;
      std::memcpy(place, &sum, sizeof sum);
    }
  }
}

}  // namespace

void HistogramBuilder::build(const Derivatives* of_row, const std::uint32_t* rows,
                             std::size_t n_rows, Histogram& histogram) const {
  histogram.assign(binned_.total_bins(), {});
  const int n_features = binned_.n_features();
  std::vector<int> first_bin(n_features);
  for (int j = 0; j < n_features; ++j) first_bin[j] = binned_.first_bin(j);
  const int parts = n_rows * n_features < kRowsPerBlock ? 1 : std::min(pool_.size(), n_features);
  pool_.for_each(parts, [&](int part) {
    add_rows(binned_.row(0), n_features, of_row, rows, n_rows, first_bin.data(),
             part * n_features / parts, (part + 1) * n_features / parts, histogram.data());
  });
}

void HistogramBuilder::subtract(Histogram& parent, const Histogram& child) {
  for (std::size_t b = 0; b < parent.size(); ++b) {
    parent[b] = parent[b] - child[b];
    if (parent[b].n_rows == 0.0) parent[b] = {};  // only rounding is left
  }
}

}  // namespace aslant
