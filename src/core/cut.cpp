#include "cut.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace aslant {

namespace {

constexpr std::size_t kFew = 256;  // values that are sorted; more are counted in bins
constexpr int kBins = 64;

struct Placed {
  double at;
  std::uint32_t row;
};

// Kept from one line to the next, one set per thread.
struct Buffers {
  std::vector<Placed> placed;
  std::vector<double> child0, in_bins, below;
  std::vector<std::int64_t> rows_in_bin;
};

Buffers& thread_buffers() {
  static thread_local Buffers buffers;
  return buffers;
}

void sort_few(Placed* first, Placed* last) {
  if (last - first > 24) {
    std::sort(first, last, [](const Placed& a, const Placed& b) {
      return a.at < b.at || (a.at == b.at && a.row < b.row);
    });
    return;
  }
  for (Placed* next = first + 1; next < last; ++next) {
    const Placed moving = *next;
    Placed* place = next;
    for (; place > first && place[-1].at > moving.at; --place) *place = place[-1];
    *place = moving;
  }
}

double between(double low, double high) {
  const double middle = low + (high - low) / 2.0;
  return middle < high ? middle : low;
}

template <class Criterion>
void move(Criterion& criterion, const SweepRows& rows, std::size_t row) {
  if constexpr (std::is_base_of_v<NumberSums, Criterion>)
    criterion.move(rows.weight_of(row), rows.number + row * (rows.width - 1));
  else
    criterion.move(rows.label[row], rows.weight_of(row));
}

struct Range {
  double low, high;
};

Range range_of(const double* values, std::size_t n) {
  Range range{values[0], values[0]};
  for (std::size_t i = 1; i < n; ++i) {
    range.low = values[i] < range.low ? values[i] : range.low;
    range.high = values[i] > range.high ? values[i] : range.high;
  }
  return range;
}

// The same in growing and in finding the threshold.
int bin_of(double value, double low, double per_width) {
  return std::min(kBins - 1, static_cast<int>((value - low) * per_width));
}

void add(const SweepRows& rows, std::size_t row, double* statistics) {
  const double weight = rows.weight_of(row);
  if (rows.label) {
    statistics[rows.label[row]] += weight;
    return;
  }
  statistics[0] += weight;
  for (int q = 1; q < rows.width; ++q)
    statistics[q] += weight * rows.number[row * (rows.width - 1) + q - 1];
}

}  // namespace

double Cutter::total_weight() const {
  if (!rows_.label) return rows_.total[0];
  double weight = 0.0;
  for (int k = 0; k < rows_.width; ++k) weight += rows_.total[k];
  return weight;
}

bool Cutter::best(const double* values, double tolerance, Cut& cut) const {
  return rows_.n <= kFew ? best_of_few(values, tolerance, cut) : best_of_bins(values, cut);
}

bool Cutter::best_of_few(const double* values, double tolerance, Cut& cut) const {
  Buffers& buffers = thread_buffers();
  buffers.placed.resize(rows_.n);
  Placed* placed = buffers.placed.data();
  const std::size_t n = rows_.n;
  for (std::size_t i = 0; i < n; ++i) placed[i] = {values[i], static_cast<std::uint32_t>(i)};
  sort_few(placed, placed + n);
  const ChildLimits& limits = node_.limits();
  const bool any_child = limits.rows <= 1 && !(limits.weight > 0.0);
  const double all = total_weight();
  // Between two rows of one class, each alone at its place, a convex criterion is not at its best.
  const bool only_at_borders = any_child && rows_.label && is_convex(node_.criterion());
  const auto is_border = [&](std::size_t i) {
    return rows_.label[placed[i].row] != rows_.label[placed[i + 1].row] ||
           (i > 0 && placed[i - 1].at == placed[i].at) ||
           (i + 2 < n && placed[i + 2].at == placed[i + 1].at);
  };
  return with_criterion(
      node_.criterion(), rows_.total, rows_.width, buffers.child0, [&](auto criterion) {
        bool found = false;
        for (std::size_t i = 0; i + 1 < n; ++i) {
          move(criterion, rows_, placed[i].row);
          if (!(placed[i + 1].at - placed[i].at > tolerance)) continue;
          if (only_at_borders && !is_border(i)) continue;
          const auto rows0 = static_cast<std::int64_t>(i + 1);
          if (!any_child && !limits.allow_both(rows0, criterion.weight0(),
                                               static_cast<std::int64_t>(n), all))
            continue;
          if (found && !criterion.beats(cut.score)) continue;
          const double score = criterion.score();
          if (found && !(score > cut.score)) continue;
          cut = {score, between(placed[i].at, placed[i + 1].at), -1, 0.0, 0.0};
          found = true;
        }
        return found;
      });
}

bool Cutter::best_of_bins(const double* values, Cut& cut) const {
  const Range range = range_of(values, rows_.n);
  if (!(range.low < range.high)) return false;
  const double per_width = kBins / (range.high - range.low);
  if (!std::isfinite(per_width)) return false;
  Buffers& buffers = thread_buffers();
  const int width = rows_.width;
  buffers.in_bins.assign(static_cast<std::size_t>(kBins) * width, 0.0);
  buffers.rows_in_bin.assign(kBins, 0);
  for (std::size_t i = 0; i < rows_.n; ++i) {
    const int bin = bin_of(values[i], range.low, per_width);
    ++buffers.rows_in_bin[bin];
    add(rows_, i, &buffers.in_bins[static_cast<std::size_t>(bin) * width]);
  }
  const double all = total_weight();
  buffers.below.assign(width, 0.0);
  return with_criterion(
      node_.criterion(), rows_.total, width, buffers.child0, [&](auto criterion) {
        bool found = false;
        std::int64_t rows0 = 0;
        for (int bin = 0; bin + 1 < kBins; ++bin) {
          if (buffers.rows_in_bin[bin] == 0) continue;
          rows0 += buffers.rows_in_bin[bin];
          for (int k = 0; k < width; ++k) buffers.below[k] += buffers.in_bins[bin * width + k];
          criterion.set(buffers.below.data());
          if (!node_.limits().allow_both(rows0, criterion.weight0(),
                                         static_cast<std::int64_t>(rows_.n), all))
            continue;
          const double score = criterion.score();
          if (found && !(score > cut.score)) continue;
          cut = {score, 0.0, bin, range.low, per_width};
          found = true;
        }
        return found;
      });
}

bool Cutter::at_random(const double* values, double tolerance, Rng& rng, Cut& cut) const {
  const Range range = range_of(values, rows_.n);
  if (!(range.high - range.low > tolerance)) return false;
  double threshold = rng.uniform(range.low, range.high);
  if (!(threshold < range.high)) threshold = range.low;
  Buffers& buffers = thread_buffers();
  buffers.below.assign(rows_.width, 0.0);
  std::int64_t rows0 = 0;
  for (std::size_t i = 0; i < rows_.n; ++i) {
    if (!(values[i] <= threshold)) continue;
    ++rows0;
    add(rows_, i, buffers.below.data());
  }
  return with_criterion(
      node_.criterion(), rows_.total, rows_.width, buffers.child0, [&](auto criterion) {
        criterion.set(buffers.below.data());
        if (!node_.limits().allow_both(rows0, criterion.weight0(),
                                       static_cast<std::int64_t>(rows_.n), total_weight()))
          return false;
        cut = {criterion.score(), threshold, -1, 0.0, 0.0};
        return true;
      });
}

double Cutter::threshold(const Cut& cut, const double* values) const {
  if (cut.bin < 0) return cut.threshold;
  double below = cut.low, above = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rows_.n; ++i) {
    if (bin_of(values[i], cut.low, cut.per_width) <= cut.bin)
      below = std::max(below, values[i]);
    else
      above = std::min(above, values[i]);
  }
  return between(below, above);
}

}  // namespace aslant
