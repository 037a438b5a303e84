#include "cut.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace aslant {

namespace {

constexpr int kBins = 64;
constexpr std::int32_t kSeveral = -1;  // classes at one place

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

void insertion_sort(Placed* first, Placed* last) {
  for (Placed* next = first + 1; next < last; ++next) {
    const Placed moving = *next;
    Placed* place = next;
    for (; place > first && place[-1].at > moving.at; --place) *place = place[-1];
    *place = moving;
  }
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

constexpr std::size_t kVeryFew = 24;  // values that are sorted by insertion

// Values of one small array by value, equal ones by row: dealt into buckets of equal width first.
void sort_few(const double* values, std::size_t n, Buffers& buffers) {
  constexpr std::size_t kBuckets = 256;
  buffers.placed.resize(n);
  Placed* placed = buffers.placed.data();
  const auto as_they_are = [&] {
    for (std::size_t i = 0; i < n; ++i) placed[i] = {values[i], static_cast<std::uint32_t>(i)};
  };
  if (n <= kVeryFew) {
    as_they_are();
    return insertion_sort(placed, placed + n);
  }
  const Range range = range_of(values, n);
  const double per_width = kBuckets / (range.high - range.low);
  if (!std::isfinite(per_width)) return as_they_are();  // all are the same
  std::uint8_t bucket_of[Cutter::kFew];
  std::uint16_t end[kBuckets] = {};
  for (std::size_t i = 0; i < n; ++i) {
    const auto bucket = static_cast<int>((values[i] - range.low) * per_width);
    bucket_of[i] = static_cast<std::uint8_t>(std::min<int>(bucket, kBuckets - 1));
    ++end[bucket_of[i]];
  }
  for (std::size_t bucket = 1; bucket < kBuckets; ++bucket) end[bucket] += end[bucket - 1];
  for (std::size_t i = n; i-- > 0;)
    placed[--end[bucket_of[i]]] = {values[i], static_cast<std::uint32_t>(i)};
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    Placed *first = placed + end[bucket],
           *last = placed + (bucket + 1 < kBuckets ? end[bucket + 1] : n);
    if (last - first <= static_cast<std::ptrdiff_t>(kVeryFew))
      insertion_sort(first, last);
    else
      std::sort(first, last, [](const Placed& a, const Placed& b) {
        return a.at < b.at || (a.at == b.at && a.row < b.row);
      });
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

// With the sum s and the weight w of child 0, of S and W in all, the squared error falls by
// (W s - S w)^2 / (W^2 w (W - w)): two of these are compared without a division.
bool Cutter::best_of_few_numbers(const Placed* placed, double tolerance, Cut& cut) const {
  const ChildLimits& limits = node_.limits();
  const bool any_child = limits.rows <= 1 && !(limits.weight > 0.0);
  const double weight = rows_.total[0], sum = rows_.total[1];
  const auto n = static_cast<std::int64_t>(rows_.n);
  double weight0 = 0.0, sum0 = 0.0, best_top = 0.0, best_bottom = 0.0, child0[2] = {0.0, 0.0};
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < n; ++i) {
    const std::uint32_t row = placed[i - 1].row;
    weight0 += rows_.weight_of(row);
    sum0 += rows_.weight_of(row) * rows_.number[row];
    const double apart = weight * sum0 - sum * weight0, top = apart * apart,
                 bottom = weight0 * (weight - weight0);
    if (!(bottom > 0.0)) continue;  // next to the others, the rows of a child weigh nothing
    if (best > 0 && !(top * best_bottom > best_top * bottom)) continue;
    if (!(placed[i].at - placed[i - 1].at > tolerance)) continue;
    if (!any_child && !limits.allow_both(i, weight0, n, weight)) continue;
    best = i;
    best_top = top;
    best_bottom = bottom;
    child0[0] = weight0;
    child0[1] = sum0;
  }
  if (best == 0) return false;
  // As every other search scores it: the same children must have the same score.
  SquaredError criterion(rows_.total, rows_.width, thread_buffers().child0);
  criterion.set(child0);
  cut = {criterion.score(), between(placed[best - 1].at, placed[best].at), -1, 0.0, 0.0};
  return true;
}

// Between two places at which all rows are of one and the same class, a convex criterion is not at
// its best.
bool Cutter::best_of_few(const double* values, double tolerance, Cut& cut) const {
  Buffers& buffers = thread_buffers();
  const std::size_t n = rows_.n;
  sort_few(values, n, buffers);
  if (node_.criterion() == CriterionKind::squared_error && rows_.width == 2)
    return best_of_few_numbers(buffers.placed.data(), tolerance, cut);
  const Placed* placed = buffers.placed.data();
  const ChildLimits& limits = node_.limits();
  const bool any_child = limits.rows <= 1 && !(limits.weight > 0.0);
  const bool only_at_borders = any_child && rows_.label && is_convex(node_.criterion());
  const double all = total_weight();
  const auto allowed = [&](std::size_t rows0, double weight0) {
    return any_child || limits.allow_both(static_cast<std::int64_t>(rows0), weight0,
                                          static_cast<std::int64_t>(n), all);
  };
  return with_criterion(
      node_.criterion(), rows_.total, rows_.width, buffers.child0, [&](auto criterion) {
        bool found = false;
        std::int32_t class_before = kSeveral;
        for (std::size_t begin = 0, end; begin < n; begin = end) {
          std::int32_t class_here = rows_.label ? rows_.label[placed[begin].row] : kSeveral;
          for (end = begin + 1; end < n && placed[end].at == placed[begin].at; ++end)
            if (rows_.label && rows_.label[placed[end].row] != class_here) class_here = kSeveral;
          const bool border = class_here == kSeveral || class_here != class_before;
          if (begin > 0 && (border || !only_at_borders) &&
              placed[begin].at - placed[begin - 1].at > tolerance &&
              allowed(begin, criterion.weight0()) && (!found || criterion.beats(cut.score))) {
            const double score = criterion.score();
            if (!found || score > cut.score) {
              cut = {score, between(placed[begin - 1].at, placed[begin].at), -1, 0.0, 0.0};
              found = true;
            }
          }
          class_before = class_here;
          for (std::size_t i = begin; i < end; ++i) move(criterion, rows_, placed[i].row);
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
  return with_criterion(node_.criterion(), rows_.total, width, buffers.child0, [&](auto criterion) {
    bool found = false;
    std::int64_t rows0 = 0;
    for (int bin = 0; bin + 1 < kBins; ++bin) {
      if (buffers.rows_in_bin[bin] == 0) continue;
      rows0 += buffers.rows_in_bin[bin];
      for (int k = 0; k < width; ++k) buffers.below[k] += buffers.in_bins[bin * width + k];
      criterion.set(buffers.below.data());
      if (!node_.limits().allow_both(rows0, criterion.weight0(), static_cast<std::int64_t>(rows_.n),
                                     all))
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
