#include "boosting/histogram.hpp"

#include <algorithm>

#include "boosting/blocks.hpp"
#include "tree/lanes.hpp"

namespace aslant {

namespace {

constexpr std::size_t kPrefetched = 16;  // rows ahead
// The bins of a few features, and the records of a tile of rows, stay in the nearest caches.
constexpr int kFeaturesTogether = 4;
constexpr std::size_t kRowsPerTile = 2048;

// Adds rows to the bins of features [begin, begin + count).
ASLANT_INLINE void add_rows_to(const BinnedFeatures& binned, const std::uint32_t* rows,
                               std::size_t n_rows, int begin, int count, GradientSums* sums) {
  const std::uint8_t* records = binned.record(0) + begin;
  const std::size_t size = binned.record_size();
  const std::size_t derivatives = size - sizeof(Derivatives) - begin;
  GradientSums* first[kFeaturesTogether] = {};
  for (int j = 0; j < count; ++j) first[j] = sums + binned.first_bin(begin + j);
  for (std::size_t i = 0; i < n_rows; ++i) {
    if (i + kPrefetched < n_rows) ASLANT_PREFETCH(records + rows[i + kPrefetched] * size);
    const std::uint8_t* record = records + rows[i] * size;
    Derivatives d;
    std::memcpy(&d, record + derivatives, sizeof d);
    const Lanes row = {d.gradient, d.hessian, 1.0, 0.0};
    for (int j = 0; j < count; ++j) {
      double* place = &first[j][record[j]].gradient;
      Lanes sum;
      load_lanes(place, sum);
      sum += row;
      std::memcpy(place, &sum, sizeof sum);
    }
  }
}

ASLANT_MULTIVERSION
void add_rows(const BinnedFeatures& binned, const std::uint32_t* rows, std::size_t n_rows,
              int begin, int count, GradientSums* sums) {
  if (count == kFeaturesTogether)  // a constant, for which the loop is unrolled
    add_rows_to(binned, rows, n_rows, begin, kFeaturesTogether, sums);
  else
    add_rows_to(binned, rows, n_rows, begin, count, sums);
}

}  // namespace

// What is left of a bin without rows is only rounding.
ASLANT_MULTIVERSION
void subtract_bins(const GradientSums* child, std::size_t n_bins, GradientSums* parent) {
  for (std::size_t b = 0; b < n_bins; ++b) {
    const GradientSums rest = parent[b] - child[b];
    const double kept = rest.n_rows == 0.0 ? 0.0 : 1.0;
    parent[b] = {rest.gradient * kept, rest.hessian * kept, rest.n_rows, 0.0};
  }
}

void HistogramBuilder::build(const std::uint32_t* rows, std::size_t n_rows,
                             Histogram& histogram) const {
  histogram.resize(binned_.total_bins());
  const int n_features = binned_.n_features();
  const int parts = n_rows * n_features < kRowsPerBlock ? 1 : std::min(pool_.size(), n_features);
  pool_.for_each(parts, [&](int part) {
    const int first = part * n_features / parts, last = (part + 1) * n_features / parts;
    for (std::size_t i = 0; i < n_rows; i += kRowsPerTile)
      for (int j = first; j < last; j += kFeaturesTogether) {
        const int end = std::min(j + kFeaturesTogether, last);
        if (i == 0)  // just before they are used, which brings them into the nearest cache
          std::fill(&histogram[binned_.first_bin(j)], histogram.data() + binned_.first_bin(end),
                    GradientSums{});
        add_rows(binned_, rows + i, std::min(kRowsPerTile, n_rows - i), j, end - j,
                 histogram.data());
      }
  });
}

}  // namespace aslant
