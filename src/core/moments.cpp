#include "moments.hpp"

#include <algorithm>
#include <cmath>

namespace aslant {

namespace {

// Rows whose columns are copied at a time: the copy stays in cache while all pairs are multiplied.
constexpr std::size_t kBlock = 128;

// Adds the products of all pairs of columns over a block. Two by two columns at a time, so that
// every value that is loaded serves twice. `left` holds the weighted values.
void add_products(const double* left, const double* right, std::size_t n, std::size_t width,
                  std::vector<double>& scatter) {
  for (std::size_t i = 0; i < width; i += 2) {
    const bool two = i + 1 < width;
    const double *a0 = left + i * kBlock, *a1 = two ? a0 + kBlock : a0;
    for (std::size_t j = 0; j <= i; j += 2) {
      const double *b0 = right + j * kBlock, *b1 = j + 1 < width ? b0 + kBlock : b0;
      double s00 = 0.0, s01 = 0.0, s10 = 0.0, s11 = 0.0;
      for (std::size_t r = 0; r < n; ++r) {
        s00 += a0[r] * b0[r];
        s01 += a0[r] * b1[r];
        s10 += a1[r] * b0[r];
        s11 += a1[r] * b1[r];
      }
      scatter[i * width + j] += s00;
      if (j + 1 <= i) scatter[i * width + j + 1] += s01;
      if (two) {
        scatter[(i + 1) * width + j] += s10;
        if (j + 1 < width) scatter[(i + 1) * width + j + 1] += s11;
      }
    }
  }
}

}  // namespace

std::vector<double> scatter_about(const Node& node, const std::vector<int>& columns,
                                  const std::vector<std::uint32_t>& rows,
                                  const std::vector<double>& centre,
                                  const std::vector<double>& weight) {
  const std::size_t width = columns.size();
  std::vector<double> scatter(width * width, 0.0);
  std::vector<double> centred(width * kBlock, 0.0), weighted(width * kBlock, 0.0);
  for (std::size_t begin = 0; begin < rows.size(); begin += kBlock) {
    const std::size_t n = std::min(kBlock, rows.size() - begin);
    for (std::size_t j = 0; j < width; ++j) {
      const double* x = node.column(columns[j]);
      for (std::size_t r = 0; r < n; ++r) {
        centred[j * kBlock + r] = x[rows[begin + r]] - centre[j];
        weighted[j * kBlock + r] = weight[begin + r] * centred[j * kBlock + r];
      }
    }
    add_products(weighted.data(), centred.data(), n, width, scatter);
  }
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < i; ++j) scatter[j * width + i] = scatter[i * width + j];
  return scatter;
}

Moments moments(const Node& node, const std::vector<int>& columns,
                const std::vector<std::uint32_t>& rows) {
  Moments result;
  std::vector<double> weight(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    weight[r] = node.weight_of(rows[r]);
    result.weight += weight[r];
  }
  for (int j : columns) {
    const double* x = node.column(j);
    double sum = 0.0;
    for (std::size_t r = 0; r < rows.size(); ++r) sum += weight[r] * x[rows[r]];
    result.mean.push_back(rows.empty() ? 0.0 : sum / result.weight);
  }
  result.scatter = scatter_about(node, columns, rows, result.mean, weight);
  return result;
}

Spread spread(const Node& node, int column) {
  const double* x = node.column(column);
  AccurateSum sum, squares;
  for (std::size_t i = 0; i < node.n_rows(); ++i) sum.add(x[i], node.weight_of(i));
  const double mean = sum.over(node.total_weight());
  for (std::size_t i = 0; i < node.n_rows(); ++i)
    squares.add((x[i] - mean) * (x[i] - mean), node.weight_of(i));
  return {mean, std::sqrt(squares.over(node.total_weight()))};
}

std::vector<std::vector<std::uint32_t>> rows_by_class(const Node& node) {
  std::vector<std::vector<std::uint32_t>> rows(node.n_classes());
  for (std::size_t i = 0; i < node.n_rows(); ++i)
    rows[node.label()[i]].push_back(static_cast<std::uint32_t>(i));
  return rows;
}

}  // namespace aslant
