#include "tree/linear_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "data/expanded_rows.hpp"

namespace aslant {

namespace {

// A coefficient of a vector for one level.
struct Term {
  int vector;
  double coef;
};

// The vectors by offset, their value for an unknown level, highest first.
std::vector<int> by_offset(const LinearTest& test) {
  std::vector<int> order(test.n_vectors);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return test.offset[a] > test.offset[b]; });
  return order;
}

// The winner if only the vectors in `terms`, ascending, have a term for the level.
int winner(const LinearTest& test, const std::vector<Term>& terms, const std::vector<int>& order) {
  const auto knows = [&](int vector) {
    return std::any_of(terms.begin(), terms.end(),
                       [vector](const Term& term) { return term.vector == vector; });
  };
  const auto unknowing =
      std::find_if(order.begin(), order.end(), [&](int vector) { return !knows(vector); });
  int best = unknowing == order.end() ? -1 : *unknowing;
  double highest = best < 0 ? -std::numeric_limits<double>::infinity() : 0.0 + test.offset[best];
  for (const Term& term : terms) {
    const double value = term.coef + test.offset[term.vector];
    if (best >= 0 && !(value > highest) && !(value == highest && term.vector < best)) continue;
    highest = value;
    best = term.vector;
  }
  return best;
}

}  // namespace

void find_runs(const Columns& columns, const std::int64_t* start, std::int64_t n_vectors,
               const std::int32_t* column, std::int32_t* run) {
  for (std::int64_t v = 0; v < n_vectors; ++v)
    for (std::int64_t e = start[v + 1] - 1; e >= start[v]; --e) {
      const std::int32_t j = column[e];
      const bool goes_on = e + 1 < start[v + 1] && columns.level[j] >= 0 && column[e + 1] > j &&
                           columns.feature[column[e + 1]] == columns.feature[j];
      run[e] = goes_on ? run[e + 1] + 1 : 1;
    }
}

bool reads_one_category(const LinearTest& test, const Columns& columns) {
  if (test.begin() == test.end()) return false;
  const std::int32_t first = test.column[test.begin()];
  for (std::int64_t e = test.begin(); e < test.end(); ++e)
    if (columns.level[test.column[e]] < 0 ||
        columns.feature[test.column[e]] != columns.feature[first])
      return false;
  return true;
}

LevelOutcomes level_outcomes(const LinearTest& test, const Columns& columns) {
  const std::int32_t column = test.column[test.begin()];
  const int first = column - columns.level[column];
  LevelOutcomes outcomes{columns.feature[column], {}, 0, 0};
  std::size_t n_levels = 0;
  while (first + static_cast<int>(n_levels) < columns.size() &&
         columns.feature[first + n_levels] == outcomes.feature)
    ++n_levels;
  std::vector<std::vector<Term>> terms(n_levels);
  for (int v = 0; v < test.n_vectors; ++v)
    for (std::int64_t e = test.start[v]; e < test.start[v + 1]; ++e)
      terms[test.column[e] - first].push_back({v, test.coef[e]});
  const std::vector<int> order = by_offset(test);
  const auto child_with = [&](const std::vector<Term>& known) {
    if (test.n_vectors > 1) return winner(test, known, order);
    return (known.empty() ? 0.0 : known[0].coef) <= test.offset[0] ? 0 : 1;
  };
  for (const std::vector<Term>& known : terms) outcomes.child.push_back(child_with(known));
  outcomes.unknown = child_with({});
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> row(outcomes.feature + 1, nothing);
  outcomes.missing = child_of<double, true>(
      test, columns, reinterpret_cast<const char*>(row.data()), sizeof(double));
  return outcomes;
}

void send_rows(const LinearTest& test, const Table& table, const Columns& columns,
               const std::uint32_t* rows, std::size_t n_rows, std::int32_t* child) {
  constexpr std::int64_t kFewTerms = 8;  // are looked up, without expanding the row
  if (table.is_sparse() && test.n_vectors == 1 && test.end() - test.begin() <= kFewTerms &&
      !columns.any_levels()) {
    for (std::size_t i = 0; i < n_rows; ++i) {
      double lane[kLanes] = {};
      for (std::int64_t e = test.begin(); e < test.end(); ++e) {
        const double x = table.at(rows[i], test.column[e]);
        lane[test.column[e] % kLanes] += test.coef[e] * (x == x ? x : test.fill[e]);
      }
      child[i] = total(lane) <= test.offset[0] ? 0 : 1;
    }
    return;
  }
  if (table.is_sparse()) {
    constexpr std::uint32_t kFirst = 0;
    ExpandedRows expanded(table, 1);
    for (std::size_t i = 0; i < n_rows; ++i)
      send_rows(test, expanded.expand(1, [&](int) { return rows[i]; }), columns, &kFirst, 1,
                child + i);
    return;
  }
  if (reads_one_category(test, columns)) {
    const LevelOutcomes outcomes = level_outcomes(test, columns);
    for (std::size_t i = 0; i < n_rows; ++i)
      child[i] = outcomes.of(table.at(rows[i], outcomes.feature));
    return;
  }
  constexpr std::size_t kAhead = 4;  // rows being prefetched
  const bool reads_much = test.start[1] - test.start[0] > 4;
  with_layout(table, columns, [&](auto type, auto levels) {
    using T = decltype(type);
    constexpr bool kLevels = decltype(levels)::value;
    if (kLevels && LookedUpPlane::pays(test, columns, n_rows)) {
      LookedUpPlane(test, columns)
          .children_of(
              [&](int feature, const auto& add) {
                const char* base = table.data + feature * table.feature_stride;
                add([base, rows, stride = table.row_stride](std::size_t r) {
                  return static_cast<double>(*reinterpret_cast<const T*>(
                      base + static_cast<std::ptrdiff_t>(rows[r]) * stride));
                });
              },
              n_rows, child);
      return;
    }
    for (std::size_t i = 0; i < n_rows; ++i) {
      if (reads_much) table.prefetch(rows[std::min(i + kAhead, n_rows - 1)]);
      const char* row = table.data + static_cast<std::ptrdiff_t>(rows[i]) * table.row_stride;
      child[i] = child_of<T, kLevels>(test, columns, row, table.feature_stride);
    }
  });
}

void send_rows(const LinearTest& test, const StoredColumns& stored, const RowPositions& positions,
               std::size_t n_rows, std::int32_t* child) {
  struct Buffers {
    std::vector<double> lanes;
  };
  std::vector<double>& lanes = Workspace::get<Buffers>().lanes;
  lanes.assign(n_rows * kLanes, 0.0);
  for (std::int64_t e = test.begin(); e < test.end(); ++e) {
    const std::int32_t feature = test.column[e];
    for (std::int64_t s = stored.begin(feature); s < stored.end(feature); ++s) {
      if (!positions.has(stored.row(s))) continue;
      const double x = stored.value(s);
      lanes[positions.of(stored.row(s)) * kLanes + feature % kLanes] +=
          test.coef[e] * (x == x ? x : test.fill[e]);
    }
  }
  for (std::size_t i = 0; i < n_rows; ++i)
    child[i] = total(&lanes[i * kLanes]) <= test.offset[0] ? 0 : 1;
}

LookedUpPlane::LookedUpPlane(const LinearTest& test, const Columns& columns) : test_(test) {
  for (std::int64_t e = test.begin(); e < test.end();) {
    const std::int32_t j = test.column[e];
    const bool is_level = columns.level[j] >= 0;
    const std::int64_t next = e + (is_level ? test.run[e] : 1);
    const std::int32_t n_levels = is_level ? test.column[next - 1] - j + 1 : 0;
    terms_.push_back({columns.feature[j], j, n_levels, columns.level[j], e, coef_.size()});
    coef_.resize(coef_.size() + n_levels, 0.0);
    for (; is_level && e < next; ++e)
      coef_[terms_.back().place + test.column[e] - j] = test.coef[e];
    e = next;
  }
}

}  // namespace aslant
