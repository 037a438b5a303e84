#include "line/line_bins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "line/bins.hpp"
#include "line/sweep.hpp"
#include "node/node.hpp"

namespace aslant {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Number of statistics up to which all corners are evaluated.
constexpr int kMostCorners = 8;

}  // namespace

double centre_of(double mean, double low, double high) {
  return round_number_near(mean, std::max(std::abs(low - mean), std::abs(high - mean)));
}

std::vector<double> edges_between(std::vector<double> places, std::size_t n_bins) {
  std::sort(places.begin(), places.end());
  std::vector<double> edges;
  for (std::size_t b = 1; b < n_bins; ++b) {
    const double edge = places[b * places.size() / n_bins];
    if (edges.empty() || edge > edges.back()) edges.push_back(edge);
  }
  return edges;
}

LineBins::LineBins(LineTarget target, std::vector<double> edges, bool exact)
    : target_(std::move(target)),
      exact_(exact),
      edges_(std::move(edges)),
      rows_(size(), 0),
      low_(size(), kInfinity),
      high_(size(), -kInfinity),
      sums_(size() * static_cast<std::size_t>(target_.n_sums())) {
  index_edges();
}

void LineBins::index_edges() {
  constexpr std::size_t kCells = 4096;
  const double range = edges_.empty() ? 0.0 : edges_.back() - edges_.front();
  cells_per_unit_ = static_cast<double>(kCells) / range;
  if (!(range > 0.0) || !std::isfinite(range) || !std::isfinite(cells_per_unit_)) return;
  first_edge_.assign(kCells + 2, static_cast<std::uint32_t>(edges_.size()));
  for (std::size_t e = edges_.size(); e-- > 0;)
    first_edge_[cell_of(edges_[e])] = static_cast<std::uint32_t>(e);
  for (std::size_t c = kCells + 1; c-- > 0;)
    first_edge_[c] = std::min(first_edge_[c], first_edge_[c + 1]);
}

// Monotone in the place, despite rounding.
std::size_t LineBins::cell_of(double place) const {
  const double cell = (place - edges_.front()) * cells_per_unit_;
  const double last = static_cast<double>(first_edge_.size()) - 2.0;
  return static_cast<std::size_t>(cell > 0.0 ? (cell < last ? cell : last) : 0.0);
}

std::size_t LineBins::bin_of(double place) const {
  auto begin = edges_.begin(), end = edges_.end();
  if (!first_edge_.empty()) {  // the first edge not below the place is in its cell or the next
    const std::size_t cell = cell_of(place);
    begin = edges_.begin() + first_edge_[cell];
    end = edges_.begin() + first_edge_[cell + 1];
  }
  return static_cast<std::size_t>(std::lower_bound(begin, end, place) - edges_.begin());
}

void LineBins::add(const LineRow& row) {
  const std::size_t bin = bin_of(row.at);
  ++rows_[bin];
  low_[bin] = std::min(low_[bin], row.at);
  high_[bin] = std::max(high_[bin], row.at);
  AccurateSum* sums = &sums_[bin * static_cast<std::size_t>(target_.n_sums())];
  if (target_.n_classes > 0) {
    sums[row.label].add(row.weight, 1.0);
    return;
  }
  sums[0].add(row.weight, 1.0);
  for (int q = 0; q < target_.n_outputs(); ++q) {
    const double number = row.numbers[q] - target_.centre[q];
    sums[1 + 2 * q + (number > 0.0 ? 0 : 1)].add(number, row.weight);
  }
}

void LineBins::add(const LineBins& other) {
  const std::vector<double> numbers = other.numbers();
  add_numbers(numbers.data(), numbers.size());
}

std::vector<double> LineBins::numbers() const {
  std::vector<double> numbers;
  numbers.reserve(3 * size() + 2 * sums_.size());
  for (std::size_t b = 0; b < size(); ++b) {
    numbers.push_back(static_cast<double>(rows_[b]));
    numbers.push_back(low_[b]);
    numbers.push_back(high_[b]);
  }
  for (const AccurateSum& sum : sums_) {
    numbers.push_back(sum.sum());
    numbers.push_back(sum.lost());
  }
  return numbers;
}

void LineBins::add_numbers(const double* numbers, std::size_t n) {
  if (n != 3 * size() + 2 * sums_.size())
    throw std::invalid_argument("these are not the bins of this line");
  for (std::size_t b = 0; b < size(); ++b, numbers += 3) {
    rows_[b] += static_cast<std::int64_t>(numbers[0]);
    low_[b] = std::min(low_[b], numbers[1]);
    high_[b] = std::max(high_[b], numbers[2]);
  }
  for (AccurateSum& sum : sums_) {
    sum.add_sum(numbers[0], numbers[1]);
    numbers += 2;
  }
}

std::int64_t LineBins::rows_up_to(double place) const {
  std::int64_t rows = 0;
  for (std::size_t b = 0; b < size(); ++b) rows += low_[b] <= place ? rows_[b] : 0;
  return rows;
}

// Closer rows count as one place: their projections are rounded.
double LineBins::tolerance() const {
  if (exact_) return 0.0;
  double largest = 0.0;
  for (std::size_t b = 0; b < size(); ++b)
    if (rows_[b] > 0) largest = std::max({largest, std::abs(low_[b]), std::abs(high_[b])});
  return rounding(largest);
}

// The statistics of child 0 before every bin and their range within it, in the layout of
// bin_scores.hpp. Omits absent classes.
struct LineBins::Box {
  std::size_t stride = 0;
  int width = 0;
  std::vector<int> present;  // classes
  std::vector<double> total, before, low, high;
  std::vector<std::int64_t> rows_before;

  std::vector<double> at(const std::vector<double>& values, std::size_t bin) const {
    std::vector<double> here;
    for (int k = 0; k < width; ++k) here.push_back(values[k * stride + bin]);
    return here;
  }
};

LineBins::Box LineBins::boxes() const {
  const auto n_sums = static_cast<std::size_t>(target_.n_sums());
  const bool classes = target_.n_classes > 0;
  std::vector<AccurateSum> running(n_sums);
  std::vector<std::vector<double>> of_sum(n_sums);  // before every bin, and after the last
  Box box;
  box.stride = size() + 1;
  std::int64_t rows = 0;
  for (std::size_t b = 0; b <= size(); ++b) {
    for (std::size_t s = 0; s < n_sums; ++s) {
      of_sum[s].push_back(running[s].value());
      if (b < size()) running[s].add_sum(sums_[b * n_sums + s].sum(), sums_[b * n_sums + s].lost());
    }
    box.rows_before.push_back(rows);
    if (b < size()) rows += rows_[b];
  }
  const auto take = [&](const std::vector<double>& before, const std::vector<double>& low,
                        const std::vector<double>& high) {
    box.before.insert(box.before.end(), before.begin(), before.end());
    box.low.insert(box.low.end(), low.begin(), low.end());
    box.high.insert(box.high.end(), high.begin(), high.end());
    box.total.push_back(before.back());
    ++box.width;
  };
  const auto shifted = [](std::vector<double> values) {  // the statistics before the next bin
    values.push_back(values.back());
    values.erase(values.begin());
    return values;
  };
  for (std::size_t s = 0; s < (classes ? n_sums : 1); ++s) {
    if (classes && !(of_sum[s].back() > 0.0)) continue;
    if (classes) box.present.push_back(static_cast<int>(s));
    take(of_sum[s], of_sum[s], shifted(of_sum[s]));
  }
  for (std::size_t s = 1; !classes && s < n_sums; s += 2) {
    std::vector<double> sum, low, high;
    for (std::size_t b = 0; b <= size(); ++b) {
      const std::size_t next = std::min(b + 1, size());
      sum.push_back(of_sum[s][b] + of_sum[s + 1][b]);
      low.push_back(of_sum[s][b] + of_sum[s + 1][next]);
      high.push_back(of_sum[s][next] + of_sum[s + 1][b]);
    }
    take(sum, low, high);
  }
  return box;
}

namespace {

template <class Criterion>
bool a_corner_beats(Criterion& criterion, int width, const std::vector<double>& low,
                    const std::vector<double>& high, double wanted) {
  std::vector<double> corner(width);
  for (int c = 0; c < 1 << width; ++c) {
    for (int k = 0; k < width; ++k) corner[k] = c >> k & 1 ? high[k] : low[k];
    criterion.set(corner.data());
    if (corner_beats(criterion, wanted)) return true;
  }
  return false;
}

double weight_of_all(const std::vector<double>& total, bool classes) {
  double sum = total[0];
  for (std::size_t k = 1; classes && k < total.size(); ++k) sum += total[k];
  return sum;
}

}  // namespace

std::vector<char> LineBins::candidates(CriterionKind kind, const ChildLimits& limits) const {
  const Box box = boxes();
  std::vector<char> may_win(size(), 0);
  if (box.width == 0) return may_win;
  const double weight = weight_of_all(box.total, target_.n_classes > 0);
  const std::int64_t n_rows = box.rows_before.back();
  std::vector<double> scratch;
  with_criterion(kind, box.total.data(), box.width, scratch, [&](auto criterion) {
    using Criterion = decltype(criterion);
    const double apart = tolerance();
    double known = kAnyScore, last = -kInfinity;
    std::size_t best_edge = 0;
    for (std::size_t b = 1; b < size(); ++b) {
      if (rows_[b - 1] > 0) last = high_[b - 1];
      if (rows_[b] == 0 || !(low_[b] - last > apart)) continue;
      criterion.set(box.at(box.before, b).data());
      if (!limits.allow_both(box.rows_before[b], criterion.weight0(), n_rows, weight)) continue;
      const double score = criterion.score();
      if (!(score > known)) continue;
      known = score;
      best_edge = b;
    }
    const double wanted = just_below(known);
    const bool of_two = kIsRegression<Criterion> ? box.width == 2 : true;
    if (known == kAnyScore) {  // no edge is allowed, but a place between two may be
      std::fill(may_win.begin(), may_win.end(), 1);
      return 0;
    }
    if constexpr (Criterion::kBoundsBins && !kIsRegression<Criterion>) {
      std::vector<double> room(kBinScratch * box.stride);
      std::vector<unsigned char> marked(size());
      criterion.mark_bins({size(), box.stride}, box.low.data(), box.high.data(), wanted,
                          room.data(), marked.data());
      for (std::size_t b = 0; b < size(); ++b) may_win[b] = static_cast<char>(marked[b]);
    } else if (is_convex(kind) && of_two && box.width <= kMostCorners) {
      for (std::size_t b = 0; b < size(); ++b)
        may_win[b] = rows_[b] > 0 && a_corner_beats(criterion, box.width, box.at(box.low, b),
                                                    box.at(box.high, b), wanted);
    } else {
      std::size_t before = best_edge - 1, after = best_edge;
      while (before > 0 && rows_[before] == 0) --before;
      while (after + 1 < size() && rows_[after] == 0) ++after;
      may_win[before] = may_win[after] = 1;
    }
    return 0;
  });
  for (std::size_t b = 0; b < size(); ++b)
    if (rows_[b] == 0) may_win[b] = 0;
  return may_win;
}

namespace {

// Rows of several parts of the data as a partition for sweeps.
template <class Criterion>
class BinPartition {
 public:
  BinPartition(Criterion& criterion, const LineTarget& target, const std::vector<int>& present,
               const ChildLimits& limits, std::int64_t n_rows, double weight)
      : criterion_(criterion),
        target_(target),
        limits_(limits),
        n_rows_(n_rows),
        weight_(weight),
        code_(target.n_classes, 0),
        centered_(target.centre.size()) {
    for (std::size_t k = 0; k < present.size(); ++k) code_[present[k]] = static_cast<int>(k);
  }

  void start(const std::vector<double>& statistics, std::int64_t rows0) {
    criterion_.set(statistics.data());
    rows0_ = rows0;
  }
  void move(const LineRow& row) {
    ++rows0_;
    if constexpr (kIsRegression<Criterion>) {
      for (std::size_t q = 0; q < centered_.size(); ++q)
        centered_[q] = row.numbers[q] - target_.centre[q];
      criterion_.move(row.weight, centered_.data());
    } else {
      criterion_.move(code_[row.label], row.weight);
    }
  }
  bool allowed() const {
    return limits_.allow_both(rows0_, criterion_.weight0(), n_rows_, weight_);
  }
  double score_above(double /*known*/, const LineRow& /*row*/, const LineRow& /*next*/) const {
    return criterion_.score();
  }
  static void begin(const LineRow*, const LineRow*) {}
  static bool skips(const LineRow*, const LineRow*, const LineRow*) { return false; }

 private:
  Criterion& criterion_;
  const LineTarget& target_;
  const ChildLimits& limits_;
  std::int64_t n_rows_, rows0_ = 0;
  double weight_;
  std::vector<int> code_;
  std::vector<double> centered_;
};

}  // namespace

std::optional<LineOptimum> LineBins::best(CriterionKind kind, const ChildLimits& limits,
                                          const std::vector<char>& candidates,
                                          std::vector<LineRow> rows) const {
  const Box box = boxes();
  if (box.width == 0) return std::nullopt;
  std::sort(rows.begin(), rows.end(), [](const LineRow& a, const LineRow& b) {
    return a.at < b.at || (a.at == b.at && a.number < b.number);
  });
  const double weight = weight_of_all(box.total, target_.n_classes > 0);
  std::vector<double> scratch;
  return with_criterion(kind, box.total.data(), box.width, scratch, [&](auto criterion) {
    BinPartition partition(criterion, target_, box.present, limits, box.rows_before.back(), weight);
    const auto tied = [apart = tolerance()](const LineRow& row, const LineRow& next) {
      return !(next.at - row.at > apart);
    };
    Sweep sweep(partition, tied);
    const LineRow *row = rows.data(), *end = row + rows.size();
    for (std::size_t b = 0; b < size(); ++b) {
      if (!candidates[b]) continue;
      if (needs_rows(b)) {
        partition.start(box.at(box.before, b), box.rows_before[b]);
        while (row != end && row->at < low_[b]) ++row;
        const LineRow* last = row;
        while (last != end && last->at <= high_[b]) ++last;
        sweep.run(row, last);
        row = last;
      }
      std::size_t next = b + 1;
      while (next < size() && rows_[next] == 0) ++next;
      partition.start(box.at(box.before, b + 1), box.rows_before[b + 1]);
      if (next < size()) sweep.consider(LineRow{high_[b], 0}, LineRow{low_[next], 0});
    }
    return sweep.best();
  });
}

}  // namespace aslant
