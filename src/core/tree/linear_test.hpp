// The only place that evaluates a linear test, in growing and in prediction.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "data/stored_columns.hpp"
#include "data/table.hpp"
#include "tree/lanes.hpp"

namespace aslant {

// Compressed coefficient rows over the encoded columns, vector v from start[v] to start[v + 1]; see
// Split for their meaning. A row has one level of a category, so terms of other levels add nothing:
// `run` is the number of terms from here on that are levels of one category, ascending, at least 1;
// null without categories.
struct LinearTest {
  int n_vectors;
  const std::int64_t* start;
  const std::int32_t* column;
  const double* coef;
  const double* fill;
  const double* offset;
  const std::int32_t* run;

  int n_children() const { return n_vectors == 1 ? 2 : n_vectors; }
  std::int64_t begin() const { return start[0]; }
  std::int64_t end() const { return start[n_vectors]; }
};

// The length of the run that begins at each term of some vectors.
void find_runs(const Columns& columns, const std::int64_t* start, std::int64_t n_vectors,
               const std::int32_t* column, std::int32_t* run);

// The term of a run from `first` on that a row with this code reads; -1 if none.
inline std::int64_t term_of_level(const LinearTest& test, const Columns& columns,
                                  std::int64_t first, double code) {
  const std::int32_t j = test.column[first];
  const double distance = code - columns.level[j];
  if (!(distance >= 0.0 && distance < static_cast<double>(columns.size()))) return -1;
  const std::int32_t wanted = j + static_cast<std::int32_t>(distance);
  if (static_cast<double>(wanted - j) != distance) return -1;  // not an integer: not a level
  // Levels are distinct, so the wanted term is at most its distance away.
  std::int64_t e = first + std::min<std::int64_t>(wanted - j, test.run[first] - 1);
  while (e > first && test.column[e] > wanted) --e;
  return test.column[e] == wanted ? e : -1;
}

template <class T, bool kLevels>
inline double dot(const LinearTest& test, int vector, const Columns& columns, const char* row,
                  std::ptrdiff_t feature_stride) {
  double lane[kLanes] = {};
  const std::int64_t end = test.start[vector + 1];
  for (std::int64_t e = test.start[vector]; e < end;) {
    const std::int32_t j = test.column[e];
    const std::int32_t feature = kLevels ? columns.feature[j] : j;
    const double x =
        static_cast<double>(*reinterpret_cast<const T*>(row + feature * feature_stride));
    if (kLevels && x == x && columns.level[j] >= 0) {
      const std::int64_t term = term_of_level(test, columns, e, x);
      if (term >= 0) lane[test.column[term] % kLanes] += test.coef[term];
      e += test.run[e];
      continue;
    }
    lane[j % kLanes] += test.coef[e] * (x == x ? x : test.fill[e]);
    ++e;
  }
  return total(lane);
}

template <class T, bool kLevels>
inline int child_of(const LinearTest& test, const Columns& columns, const char* row,
                    std::ptrdiff_t feature_stride) {
  if (test.n_vectors == 1)
    return dot<T, kLevels>(test, 0, columns, row, feature_stride) <= test.offset[0] ? 0 : 1;
  int best = 0;
  double highest = 0.0;
  for (int v = 0; v < test.n_vectors; ++v) {
    const double value = dot<T, kLevels>(test, v, columns, row, feature_stride) + test.offset[v];
    if (v == 0 || value > highest) {
      highest = value;
      best = v;
    }
  }
  return best;
}

// A test of one category only: the child of each level, of missing and of unknown levels.
struct LevelOutcomes {
  int feature;
  std::vector<std::int32_t> child;  // by level
  std::int32_t missing, unknown;    // unknown: a code that is not a level

  std::int32_t of(double code) const {
    if (code != code) return missing;
    if (!(code >= 0.0 && code < static_cast<double>(child.size()))) return unknown;
    const auto level = static_cast<std::size_t>(code);
    return static_cast<double>(level) == code ? child[level] : unknown;
  }
};

// Whether a test reads one category only.
bool reads_one_category(const LinearTest& test, const Columns& columns);

// Only for such a test.
LevelOutcomes level_outcomes(const LinearTest& test, const Columns& columns);

// The children of rows, by the same test as prediction.
void send_rows(const LinearTest& test, const Table& table, const Columns& columns,
               const std::uint32_t* rows, std::size_t n_rows, std::int32_t* child);

// The same for a hyperplane over a sparse table of numeric features: costs the stored values of its
// features.
void send_rows(const LinearTest& test, const StoredColumns& stored, const RowPositions& positions,
               std::size_t n_rows, std::int32_t* child);

// A hyperplane over categories and numeric features for many rows, with a lookup table per
// category. Sums in the order of dot(); a level without a term adds nothing.
class LookedUpPlane {
 public:
  LookedUpPlane(const LinearTest& test, const Columns& columns);

  // Whether the rows outweigh the lookup tables.
  static bool pays(const LinearTest& test, const Columns& columns, std::size_t n_rows) {
    return test.n_vectors == 1 && columns.any_levels() &&
           n_rows > static_cast<std::size_t>(test.end() - test.begin());
  }

  // The children of some rows; reader(feature) returns a function that reads that feature of row r.
  template <class Reader>
  void children_of(const Reader& reader, std::size_t n_rows, std::int32_t* child) const;

 private:
  // Rows per block, processed term by term: the sums of one row depend on each other.
  static constexpr std::size_t kRows = 64;

  struct Term {
    std::int32_t feature;
    std::int32_t column;    // of the numeric feature, or of the first level with a term
    std::int32_t n_levels;  // from that one to the last with a term; 0: numeric
    std::int32_t level;     // the first with a term
    std::int64_t first;     // term of the test
    std::size_t place;      // of the first level in coef_
  };

  // Adds a numeric feature, or a category, to the sums of some rows.
  template <class Value>
  void add_number(const Term& term, const Value& value, std::size_t n_rows,
                  double (*lanes)[kLanes]) const;
  template <class Value>
  void add_level(const Term& term, const Value& value, std::size_t n_rows,
                 double (*lanes)[kLanes]) const;

  LinearTest test_;
  std::vector<Term> terms_;
  std::vector<double> coef_;
};

template <class Reader>
void LookedUpPlane::children_of(const Reader& reader, std::size_t n_rows,
                                std::int32_t* child) const {
  double lanes[kRows][kLanes];
  for (std::size_t begin = 0; begin < n_rows; begin += kRows) {
    const std::size_t n = std::min(kRows, n_rows - begin);
    std::fill_n(&lanes[0][0], n * kLanes, 0.0);
    for (const Term& term : terms_) {
      const auto add = [&](const auto& read) {
        const auto value = [&read, begin](std::size_t r) { return read(begin + r); };
        term.n_levels == 0 ? add_number(term, value, n, lanes) : add_level(term, value, n, lanes);
      };
      reader(term.feature, add);
    }
    for (std::size_t r = 0; r < n; ++r)
      child[begin + r] = total(lanes[r]) <= test_.offset[0] ? 0 : 1;
  }
}

template <class Value>
void LookedUpPlane::add_number(const Term& term, const Value& value, std::size_t n_rows,
                               double (*lanes)[kLanes]) const {
  const double coef = test_.coef[term.first], fill = test_.fill[term.first];
  const int lane = term.column % kLanes;
  for (std::size_t r = 0; r < n_rows; ++r) {
    const double x = value(r);
    lanes[r][lane] += coef * (x == x ? x : fill);
  }
}

template <class Value>
void LookedUpPlane::add_level(const Term& term, const Value& value, std::size_t n_rows,
                              double (*lanes)[kLanes]) const {
  const double* coef = &coef_[term.place];
  const std::int32_t first = term.level, n_levels = term.n_levels, column = term.column;
  for (std::size_t r = 0; r < n_rows; ++r) {
    const double x = value(r);
    if (x == x) {
      const auto level = static_cast<std::int32_t>(x) - first;  // the survey checked all codes
      if (level >= 0 && level < n_levels) lanes[r][(column + level) % kLanes] += coef[level];
      continue;
    }
    for (std::int64_t e = term.first; e < term.first + test_.run[term.first]; ++e)
      lanes[r][test_.column[e] % kLanes] += test_.coef[e] * test_.fill[e];
  }
}

// Calls body(T{}, has_levels) with the types of the table.
template <class Body>
void with_layout(const Table& table, const Columns& columns, const Body& body) {
  const bool levels = columns.any_levels();
  if (table.single_precision)
    levels ? body(float{}, std::true_type{}) : body(float{}, std::false_type{});
  else
    levels ? body(double{}, std::true_type{}) : body(double{}, std::false_type{});
}

}  // namespace aslant
