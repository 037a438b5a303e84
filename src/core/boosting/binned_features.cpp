#include "boosting/binned_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>

#include "boosting/blocks.hpp"
#include "line/sort_events.hpp"
#include "support/rng.hpp"

namespace aslant {

namespace {

// Fewer distinct values than this are codes, of which a sum means little; two are an indicator.
constexpr std::size_t kFewestDistinct = 5;
// Where the interquartile range says so little of the spread, the standard deviation is used.
constexpr double kMostDeviations = 10.0;
constexpr double kNormalQuartiles = 1.349;  // interquartile range of the standard normal
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Value {
  double x, weight;
};

// The values of some rows in ascending order, without those that are missing.
std::vector<Value> sorted_values(const std::vector<double>& column,
                                 const std::vector<std::uint32_t>& rows,
                                 const std::vector<double>& weight) {
  std::vector<Event> events;
  events.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (column[i] == column[i]) events.push_back({column[i], static_cast<std::uint32_t>(i), 0});
  EventSorter().sort(events);
  std::vector<Value> values;
  values.reserve(events.size());
  for (const Event& event : events)
    values.push_back({event.at, weight.empty() ? 1.0 : weight[rows[event.row]]});
  return values;
}

// One random row of each stratum of neighbouring rows.
std::vector<std::uint32_t> sampled_rows(std::int64_t n_rows, std::int64_t most,
                                        std::uint64_t seed) {
  std::vector<std::uint32_t> rows(std::min(n_rows, most));
  if (n_rows <= most) {
    std::iota(rows.begin(), rows.end(), 0u);
    return rows;
  }
  Rng rng(seed);
  for (std::int64_t i = 0; i < most; ++i) {
    const std::int64_t begin = i * n_rows / most, end = (i + 1) * n_rows / most;
    rows[i] = static_cast<std::uint32_t>(begin + rng.below(static_cast<int>(end - begin)));
  }
  return rows;
}

// Sorted values with their cumulated weights.
class Quantiles {
 public:
  explicit Quantiles(const std::vector<Value>& values) : values_(values) {
    cumulated_.reserve(values.size());
    double sum = 0.0;
    for (const Value& value : values) cumulated_.push_back(sum += value.weight);
  }

  // The inverse of the distribution function, the midpoint of two values where it is a step.
  double at(double fraction) const {
    const double wanted = fraction * cumulated_.back();
    const double tolerance = 1e-12 * cumulated_.back();
    const auto found = std::lower_bound(cumulated_.begin(), cumulated_.end(), wanted - tolerance);
    const std::size_t i = std::min<std::size_t>(found - cumulated_.begin(), cumulated_.size() - 1);
    if (cumulated_[i] <= wanted + tolerance && i + 1 < values_.size())
      return values_[i].x + 0.5 * (values_[i + 1].x - values_[i].x);
    return values_[i].x;
  }

 private:
  const std::vector<Value>& values_;
  std::vector<double> cumulated_;
};

std::vector<double> distinct_values(const std::vector<Value>& sorted) {
  std::vector<double> distinct;
  for (const Value& value : sorted)
    if (distinct.empty() || distinct.back() != value.x) distinct.push_back(value.x);
  return distinct;
}

double midpoint(double low, double high) {
  const double middle = 0.5 * low + 0.5 * high;
  return middle < high ? middle : low;  // neighbours in floating point
}

std::vector<double> thresholds_of(const std::vector<double>& distinct, const Quantiles& quantiles,
                                  int max_bins) {
  std::vector<double> thresholds;
  if (static_cast<int>(distinct.size()) <= max_bins) {
    for (std::size_t i = 1; i < distinct.size(); ++i)
      thresholds.push_back(midpoint(distinct[i - 1], distinct[i]));
    return thresholds;
  }
  for (int i = 1; i < max_bins; ++i) {
    const double threshold = quantiles.at(static_cast<double>(i) / max_bins);
    if (thresholds.empty() || threshold > thresholds.back()) thresholds.push_back(threshold);
  }
  return thresholds;
}

// Mean and scale of a feature; false if it is constant.
bool standardize(const std::vector<Value>& values, const Quantiles& quantiles,
                 BinnedFeature& feature) {
  double weight = 0.0, sum = 0.0, squares = 0.0;
  for (const Value& value : values) {
    weight += value.weight;
    sum += value.weight * value.x;
  }
  feature.mean = sum / weight;
  for (const Value& value : values)
    squares += value.weight * (value.x - feature.mean) * (value.x - feature.mean);
  const double deviation = std::sqrt(squares / weight);
  feature.scale = (quantiles.at(0.75) - quantiles.at(0.25)) / kNormalQuartiles;
  if (!(feature.scale > 0.0) || deviation > kMostDeviations * feature.scale)
    feature.scale = deviation;
  return feature.scale > 0.0;
}

// Means of the sorted values by bin; what is empty here takes any value of its rows.
std::vector<BinValues> means_by_bin(const std::vector<Value>& values,
                                    const std::vector<double>& threshold) {
  std::vector<BinValues> bins;
  std::size_t i = 0;
  for (std::size_t b = 0; b <= threshold.size(); ++b) {
    double sum = 0.0, weight = 0.0;
    for (; i < values.size() && (b == threshold.size() || values[i].x <= threshold[b]); ++i) {
      sum += values[i].weight * values[i].x;
      weight += values[i].weight;
    }
    bins.push_back({weight > 0.0 ? sum / weight : 0.0, kInfinity, -kInfinity});
  }
  return bins;
}

// Searches for several values take turns, because each step of one waits for the step before.
constexpr std::size_t kSearchedTogether = 16;

// The numbers of thresholds below some values, by halving without a branch; missing values keep
// their bin.
ASLANT_MULTIVERSION
void number_bins(const std::vector<double>& threshold, const double* x, std::size_t n,
                 std::uint8_t* bins) {
  const double* limits = threshold.data();
  double value[kSearchedTogether] = {};
  std::size_t low[kSearchedTogether] = {}, size = threshold.size();
  std::copy_n(x, n, value);
  for (; size > 1; size -= size / 2)
    for (std::size_t i = 0; i < kSearchedTogether; ++i)
      low[i] += limits[low[i] + size / 2 - 1] < value[i] ? size / 2 : 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_above = size > 0 && limits[low[i]] < value[i];
    if (value[i] == value[i]) bins[i] = static_cast<std::uint8_t>(low[i] + (is_above ? 1 : 0));
  }
}

}  // namespace

BinnedFeatures::BinnedFeatures(const Features& features, const std::vector<double>& weight,
                               int max_bins, std::uint64_t seed, ThreadPool& pool)
    : features_(features), binned_(features.table().n_features) {
  const Columns& columns = features.columns();
  for (std::int32_t j = columns.size() - 1; j >= 0; --j) {
    BinnedFeature& feature = binned_[columns.feature[j]];
    feature.column = j;
    if (columns.level[j] < 0) continue;
    feature.is_category = true;
    feature.n_bins = std::max(feature.n_bins, columns.level[j] + 1);
  }
  const std::vector<std::uint32_t> rows = sampled_rows(n_rows(), kSurveyedRows, seed);
  pool.for_each(n_features(), [&](int feature) { survey(feature, rows, weight, max_bins); });
  first_bin_.assign(1, 0);
  for (const BinnedFeature& feature : binned_)
    first_bin_.push_back(first_bin_.back() + feature.n_bins + 1);
  constexpr std::size_t kAlignment = sizeof(Derivatives);
  record_size_ = (binned_.size() + kAlignment - 1) / kAlignment * kAlignment + sizeof(Derivatives);
  records_.resize(static_cast<std::size_t>(n_rows()) * record_size_);
  for_blocks(pool, static_cast<std::size_t>(n_rows()),
             [&](int, std::size_t begin, std::size_t end) { fill(begin, end); });
  for (BinnedFeature& feature : binned_)
    for (BinValues& bin : feature.values) {
      if (!bin.has_rows()) continue;
      bin.mean = std::min(std::max(bin.mean, bin.low), bin.high);
      bin.radius = std::max(bin.mean - bin.low, bin.high - bin.mean);
      bin.standardized = (bin.mean - feature.mean) / feature.scale;
      feature.most = std::max({feature.most, std::fabs(bin.low), std::fabs(bin.high)});
    }
}

void BinnedFeatures::set_derivatives(const Derivatives* of_row, ThreadPool& pool) {
  for_blocks(
      pool, static_cast<std::size_t>(n_rows()), [&](int, std::size_t begin, std::size_t end) {
        std::uint8_t* place = &records_[begin * record_size_] + record_size_ - sizeof(Derivatives);
        for (std::size_t row = begin; row < end; ++row, place += record_size_)
          std::memcpy(place, of_row + row, sizeof(Derivatives));
      });
}

void BinnedFeatures::survey(int number, const std::vector<std::uint32_t>& rows,
                            const std::vector<double>& weight, int max_bins) {
  BinnedFeature& feature = binned_[number];
  feature.has_missing = features_.has_missing(number);
  if (feature.is_category) {
    if (feature.n_bins > kMostBins)
      throw std::invalid_argument("a category must have at most " + std::to_string(kMostBins) +
                                  " levels, got " + std::to_string(feature.n_bins));
    return;
  }
  std::vector<double> column(rows.size());
  features_.table().gather(number, rows.data(), rows.size(), column.data());
  const std::vector<Value> values = sorted_values(column, rows, weight);
  if (values.empty()) return;
  const Quantiles quantiles(values);
  const std::vector<double> distinct = distinct_values(values);
  feature.threshold = thresholds_of(distinct, quantiles, max_bins);
  feature.n_bins = static_cast<int>(feature.threshold.size()) + 1;
  feature.largest = distinct.back();
  if (feature.has_missing)  // a test of missingness has its threshold above all values
    for (std::int64_t row = 0; row < n_rows(); ++row) {
      const double x = features_.table().at(row, number);
      if (x > feature.largest) feature.largest = x;
    }
  if (features_.has_extreme(number)) return;
  const bool varies = standardize(values, quantiles, feature);
  feature.in_directions = varies && (distinct.size() >= kFewestDistinct || distinct.size() == 2);
  if (!varies) feature.scale = 1.0;
  if (feature.in_directions) feature.values = means_by_bin(values, feature.threshold);
}

void BinnedFeatures::fill(std::size_t begin, std::size_t end) {
  std::vector<std::uint32_t> rows(end - begin);
  std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(begin));
  std::vector<double> column(rows.size());
  for (int j = 0; j < n_features(); ++j) {
    features_.table().gather(j, rows.data(), rows.size(), column.data());
    const std::vector<std::uint8_t> bins = bins_of(binned_[j], column);
    std::uint8_t* out = &records_[begin * record_size_ + j];
    for (std::size_t i = 0; i < bins.size(); ++i) out[i * record_size_] = bins[i];
    if (binned_[j].in_directions) extend(j, column, bins);
  }
}

std::vector<std::uint8_t> BinnedFeatures::bins_of(const BinnedFeature& feature,
                                                  const std::vector<double>& x) const {
  std::vector<std::uint8_t> bins(x.size(), static_cast<std::uint8_t>(feature.missing_bin()));
  if (feature.is_category) {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] == x[i]) bins[i] = static_cast<std::uint8_t>(x[i]);
    return bins;
  }
  for (std::size_t i = 0; i < x.size(); i += kSearchedTogether)
    number_bins(feature.threshold, &x[i], std::min(kSearchedTogether, x.size() - i), &bins[i]);
  return bins;
}

// Extends the ranges of the bins of a feature. Threads may do so in any order.
void BinnedFeatures::extend(int number, const std::vector<double>& x,
                            const std::vector<std::uint8_t>& bins) {
  BinnedFeature& feature = binned_[number];
  std::vector<double> low(feature.n_bins + 1, kInfinity), high(feature.n_bins + 1, -kInfinity);
  for (std::size_t i = 0; i < x.size(); ++i) {
    low[bins[i]] = std::min(low[bins[i]], x[i]);
    high[bins[i]] = std::max(high[bins[i]], x[i]);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  for (int b = 0; b < feature.n_bins; ++b) {
    feature.values[b].low = std::min(feature.values[b].low, low[b]);
    feature.values[b].high = std::max(feature.values[b].high, high[b]);
  }
}

}  // namespace aslant
