// Features as small integers: quantile bins of numbers, levels of categories.
#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#include "data/features.hpp"
#include "support/huge_pages.hpp"
#include "support/multiversion.hpp"
#include "support/parallel.hpp"

namespace aslant {

// First and second derivative of the loss of a row.
struct Derivatives {
  float gradient, hessian;
};

// What directions know of the values in a bin.
struct BinValues {
  double mean, low, high;
  double radius = 0.0;        // how far a value is from the mean, at most
  double standardized = 0.0;  // the mean

  bool has_rows() const { return low <= high; }
};

// One feature. Bin b of a number holds threshold[b - 1] < x <= threshold[b]; the bin of a level is
// its code; the bin after the last one holds missing values.
struct BinnedFeature {
  bool is_category = false;
  bool has_missing = false;
  int n_bins = 1;                 // without that of missing values
  std::vector<double> threshold;  // n_bins - 1, of numbers
  std::int32_t column = 0;        // encoded column, of a category its first
  // Of numbers: how directions standardize, and the largest training value.
  double mean = 0.0, scale = 1.0, largest = 0.0;
  bool in_directions = false;     // whether a linear combination may read it
  std::vector<BinValues> values;  // by bin, if it may; a missing value is the mean
  double most = 0.0;              // largest absolute value of these

  int missing_bin() const { return n_bins; }
};

class BinnedFeatures {
 public:
  static constexpr int kMostBins = 255;  // and one of missing values

  // Surveys the given rows of a dense table: all of them if there are more than `kSurveyedRows`, a
  // sample that depends on the seed. `weight` may be empty. Throws std::invalid_argument if a
  // category has more levels than bins.
  BinnedFeatures(const Features& features, const std::vector<double>& weight, int max_bins,
                 std::uint64_t seed, ThreadPool& pool);

  const Features& features() const { return features_; }
  std::int64_t n_rows() const { return features_.table().n_rows; }
  int n_features() const { return static_cast<int>(binned_.size()); }
  const BinnedFeature& operator[](int feature) const { return binned_[feature]; }

  // The record of a row: its bins, one per feature, and its derivatives for the tree that grows. A
  // node reads all of them for few rows, so they share cache lines.
  const std::uint8_t* record(std::size_t row) const { return &records_[row * record_size_]; }
  std::size_t record_size() const { return record_size_; }
  ASLANT_INLINE Derivatives derivatives(const std::uint8_t* record) const {
    Derivatives of_row;
    std::memcpy(&of_row, record + record_size_ - sizeof of_row, sizeof of_row);
    return of_row;
  }
  void set_derivatives(const Derivatives* of_row, ThreadPool& pool);

  // Bins of all features, with those of missing values, and the first one of a feature.
  int total_bins() const { return first_bin_.back(); }
  int first_bin(int feature) const { return first_bin_[feature]; }

 private:
  static constexpr std::int64_t kSurveyedRows = 50000;

  void survey(int feature, const std::vector<std::uint32_t>& rows,
              const std::vector<double>& weight, int max_bins);
  void fill(std::size_t begin, std::size_t end);
  std::vector<std::uint8_t> bins_of(const BinnedFeature& feature,
                                    const std::vector<double>& x) const;
  void extend(int feature, const std::vector<double>& x, const std::vector<std::uint8_t>& bins);

  const Features& features_;
  std::vector<BinnedFeature> binned_;
  std::vector<int> first_bin_;
  std::size_t record_size_ = 0;
  std::vector<std::uint8_t, HugePages<std::uint8_t>> records_;
  std::mutex mutex_;  // of the values by bin
};

}  // namespace aslant
