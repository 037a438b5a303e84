#include "node/moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <unordered_set>

#include "support/counting.hpp"
#include "support/multiversion.hpp"
#include "tree/lanes.hpp"

namespace aslant {

namespace {

// Rows copied at a time: the block stays in cache while all pairs are multiplied.
constexpr std::size_t kBlock = 128;

// Adds the products of all pairs of columns over a zero-padded block, two by two columns and kLanes
// rows at a time. `left` holds the weighted values.
ASLANT_MULTIVERSION
void add_pairs(const double* left, const double* right, std::size_t n, std::size_t width,
               double* scatter) {
  for (std::size_t i = 0; i < width; i += 2) {
    const bool two = i + 1 < width;
    const double *a0 = left + i * kBlock, *a1 = two ? a0 + kBlock : a0;
    for (std::size_t j = 0; j <= i; j += 2) {
      const double *b0 = right + j * kBlock, *b1 = j + 1 < width ? b0 + kBlock : b0;
      Lanes s00 = {}, s01 = {}, s10 = {}, s11 = {};
      for (std::size_t r = 0; r < n; r += kLanes) {
        Lanes x0, x1, y0, y1;
        load_lanes(a0 + r, x0);
        load_lanes(a1 + r, x1);
        load_lanes(b0 + r, y0);
        load_lanes(b1 + r, y1);
        s00 += x0 * y0;
        s01 += x0 * y1;
        s10 += x1 * y0;
        s11 += x1 * y1;
      }
      scatter[i * width + j] += total(s00);
      if (j + 1 <= i) scatter[i * width + j + 1] += total(s01);
      if (two) {
        scatter[(i + 1) * width + j] += total(s10);
        if (j + 1 < width) scatter[(i + 1) * width + j + 1] += total(s11);
      }
    }
  }
}

ASLANT_MULTIVERSION
void centre_and_weigh(std::size_t n, double centre, const double* weight, double* __restrict x,
                      double* __restrict weighted) {
  for (std::size_t r = 0; r < n; ++r) {
    x[r] -= centre;
    weighted[r] = weight[r] * x[r];
  }
}

std::vector<double> weights_of(const Node& node, const std::vector<std::uint32_t>& rows) {
  std::vector<double> weight(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) weight[r] = node.weight_of(rows[r]);
  return weight;
}

}  // namespace

std::vector<double> scatter_about(const Node& node, const std::vector<int>& columns,
                                  const std::vector<std::uint32_t>& rows,
                                  const std::vector<double>& centre,
                                  const std::vector<double>& weight) {
  const std::size_t width = columns.size();
  std::vector<double> scatter(width * width, 0.0);
  std::vector<double> centred(width * kBlock, 0.0), weighted(width * kBlock, 0.0);
  const bool all = rows.size() == node.n_rows() && std::is_sorted(rows.begin(), rows.end());
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
    const std::size_t n = std::min(kBlock, rows.size() - begin);
    const std::size_t whole = (n + kLanes - 1) / kLanes * kLanes;
    for (std::size_t j = 0; j < width; ++j) {
      const double* x = node.column(columns[j]);
      double *to = &centred[j * kBlock], *weighted_to = &weighted[j * kBlock];
      if (all)
        std::copy_n(x + begin, n, to);
      else
        for (std::size_t r = 0; r < n; ++r) to[r] = x[rows[begin + r]];
      centre_and_weigh(n, centre[j], &weight[begin], to, weighted_to);
      for (std::size_t r = n; r < whole; ++r) to[r] = weighted_to[r] = 0.0;
    }
    add_pairs(weighted.data(), centred.data(), whole, width, scatter.data());
  }
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < i; ++j) scatter[j * width + i] = scatter[i * width + j];
  return scatter;
}

std::vector<double> means_of(const Node& node, const std::vector<int>& columns,
                             const std::vector<std::uint32_t>& rows) {
  std::vector<double> means, values(rows.size());
  const std::vector<double> weight =
      node.target().weight().empty() ? std::vector<double>() : weights_of(node, rows);
  for (int j : columns) {
    const double* x = node.column(j);
    for (std::size_t r = 0; r < rows.size(); ++r) values[r] = x[rows[r]];
    means.push_back(rows.empty() ? 0.0
                                 : mean_of(values.data(), weight.empty() ? nullptr : weight.data(),
                                           values.size()));
  }
  return means;
}

Moments moments(const Node& node, const std::vector<int>& columns,
                const std::vector<std::uint32_t>& rows) {
  Moments result;
  const std::vector<double> weight = weights_of(node, rows);
  result.weight = std::accumulate(weight.begin(), weight.end(), 0.0);
  result.mean = means_of(node, columns, rows);
  result.scatter = scatter_about(node, columns, rows, result.mean, weight);
  return result;
}

Spread spread(const Node& node, int column) {
  if (const KnownMoments* known = node.columns().known(column)) return known->spread;
  const double* x = node.column(column);
  const std::vector<double>& weight = node.target().weight();
  const double* w = weight.empty() ? nullptr : weight.data();
  const double mean = mean_of(x, w, node.n_rows());
  return {mean, std::sqrt(mean_square_about(mean, x, w, node.n_rows()))};
}

// Zeros have the weight that is neither of the level nor missing. Rounding of weights or fills must
// not make a constant column vary.
std::vector<Spread> spreads(const Node& node, const CategoryGroup& group) {
  constexpr double kConstant = 1e-14;
  const auto n_levels = static_cast<std::size_t>(group.n_levels);  // the last entry: missing
  std::vector<AccurateSum> weight(n_levels + 1);
  AccurateSum all;
  if (node.target().weight().empty()) {
    std::vector<double> rows(n_levels + 1, 0.0);
    count_by(group.code.size(), rows.size(), rows.data(),
             [&](std::size_t i) { return group.code[i] < 0 ? group.n_levels : group.code[i]; });
    for (std::size_t level = 0; level <= n_levels; ++level) weight[level].add(rows[level], 1.0);
    all.add(static_cast<double>(group.code.size()), 1.0);
  } else {
    for (std::size_t i = 0; i < group.code.size(); ++i) {
      weight[group.code[i] < 0 ? n_levels : group.code[i]].add(node.weight_of(i), 1.0);
      all.add(node.weight_of(i), 1.0);
    }
  }
  const auto add = [](double value, const AccurateSum& times, AccurateSum& sum) {
    sum.add(value, times.sum());
    sum.add(value, times.lost());
  };
  const AccurateSum& missing = weight[n_levels];
  std::vector<Spread> result;
  for (std::size_t level = 0; level < n_levels; ++level) {
    const double fill = group.fill[level];
    AccurateSum sum, squares;
    add(1.0, weight[level], sum);
    add(fill, missing, sum);
    const double mean = sum.over(all.value());
    add((1.0 - mean) * (1.0 - mean), weight[level], squares);
    add((fill - mean) * (fill - mean), missing, squares);
    add(mean * mean, all, squares);
    add(-mean * mean, weight[level], squares);
    add(-mean * mean, missing, squares);
    const double deviation = std::sqrt(std::max(0.0, squares.over(all.value())));
    result.push_back({mean, deviation > kConstant ? deviation : 0.0});
  }
  return result;
}

double training_deviation(const Node& node, int j) {
  if (!node.columns().has_table_units()) return spread(node, j).deviation;
  return std::ldexp(node.problem().spread().deviation[j], -node.columns().exponent(j));
}

namespace {

// The first value up to which values and weights reach a weight.
double weighted_quantile(std::vector<std::pair<double, double>> sorted, double wanted) {
  std::sort(sorted.begin(), sorted.end());
  double below = 0.0;
  for (const auto& [value, weight] : sorted) {
    below += weight;
    if (below >= wanted) return value;
  }
  return sorted.back().first;
}

double sparse_quantile(const Node& node, int j, double share) {
  std::vector<std::pair<double, double>> sorted;
  double zeros = node.target().total_weight();
  if (const auto x = node.columns().sparse(j))
    for (std::size_t i = 0; i < x->rows.size(); ++i) {
      sorted.emplace_back(x->values[i], node.weight_of(x->rows[i]));
      zeros -= sorted.back().second;
    }
  if (sorted.size() < node.n_rows()) sorted.emplace_back(0.0, zeros);
  return weighted_quantile(std::move(sorted), share * node.target().total_weight());
}

// The nonzero values of a sparse row in some columns, as bytes.
std::string content_of(const Table& table, std::uint32_t row, const std::vector<char>& read) {
  std::string bytes;
  for (std::int64_t e = table.row_begin[row]; e < table.row_begin[row + 1]; ++e) {
    const double value = table.value(e);
    if (value == 0.0 || !read[table.feature_of[e]]) continue;
    bytes.append(reinterpret_cast<const char*>(&table.feature_of[e]), sizeof(std::int32_t));
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

}  // namespace

double quantile(const Node& node, int j, double share) {
  if (node.columns().is_sparse()) return sparse_quantile(node, j, share);
  const double* x = node.column(j);
  const std::size_t n = node.n_rows();
  if (node.target().weight().empty()) {
    std::vector<double> values(x, x + n);
    const double place = std::ceil(share * static_cast<double>(n)) - 1.0;
    const auto wanted = values.begin() + static_cast<std::ptrdiff_t>(std::max(0.0, place));
    std::nth_element(values.begin(), wanted, values.end());
    return *wanted;
  }
  std::vector<std::pair<double, double>> sorted(n);
  for (std::size_t i = 0; i < n; ++i) sorted[i] = {x[i], node.weight_of(i)};
  return weighted_quantile(std::move(sorted), share * node.target().total_weight());
}

std::size_t distinct_rows(const Node& node, std::size_t limit) {
  const NodeColumns& columns = node.columns();
  if (columns.is_sparse()) {
    std::vector<char> read(columns.size(), 0);
    for (int j : columns.numeric()) read[j] = 1;
    std::unordered_set<std::string> seen;
    for (std::size_t i = 0; i < node.n_rows() && seen.size() < limit; ++i)
      seen.insert(content_of(node.problem().features().table(), columns.row(i), read));
    return seen.size();
  }
  std::vector<int> numbers;
  for (int j : columns.numeric())
    if (columns.levels_of(j) == nullptr) numbers.push_back(j);
  std::vector<const std::vector<std::int32_t>*> codes;
  for (const CategoryGroup& group : columns.groups()) codes.push_back(&group.code);
  for (const LevelColumns& levels : columns.by_level()) codes.push_back(levels.code);
  std::vector<double> row(numbers.size() + codes.size());
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < node.n_rows() && seen.size() < limit; ++i) {
    double* to = row.data();
    for (int j : numbers) *to++ = node.column(j)[i] + 0.0;  // -0.0 equals 0.0
    for (const std::vector<std::int32_t>* code : codes) *to++ = (*code)[i];
    std::string bytes(sizeof(double) * row.size(), '\0');
    std::memcpy(bytes.data(), row.data(), bytes.size());
    seen.insert(std::move(bytes));
  }
  return seen.size();
}

std::vector<double> class_means(const NodeTarget& target, const double* x) {
  std::vector<WeightedMean> running(target.n_classes());
  const std::vector<std::int32_t>& label = target.label();
  for (std::size_t i = 0; i < label.size(); ++i) running[label[i]].add(x[i], target.weight_of(i));
  std::vector<double> means;
  for (const WeightedMean& mean : running) means.push_back(mean.mean());
  return means;
}

std::vector<std::vector<std::uint32_t>> rows_by_class(const Node& node) {
  std::vector<std::vector<std::uint32_t>> rows(node.target().n_classes());
  const std::vector<std::int32_t>& label = node.target().label();
  for (std::size_t i = 0; i < label.size(); ++i)
    rows[label[i]].push_back(static_cast<std::uint32_t>(i));
  return rows;
}

std::vector<std::uint32_t> all_rows(const Node& node) {
  std::vector<std::uint32_t> rows(node.n_rows());
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

std::vector<int> classes_by_weight(const NodeTarget& target) {
  const std::vector<double>& weight = target.class_weight();
  std::vector<int> present;
  for (int k = 0; k < target.n_classes(); ++k)
    if (weight[k] > 0.0) present.push_back(k);
  std::stable_sort(present.begin(), present.end(),
                   [&](int a, int b) { return weight[a] > weight[b]; });
  return present;
}

}  // namespace aslant
