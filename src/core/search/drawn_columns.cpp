#include "search/drawn_columns.hpp"

#include <algorithm>
#include <numeric>

namespace aslant {

RandomOrder::RandomOrder(int n, Rng& rng) : n_(n), rng_(rng), buffers_(Workspace::get<Buffers>()) {
  std::vector<int>& order = buffers_.order;
  const auto known = static_cast<int>(order.size());
  if (known < n) {
    order.resize(n);
    std::iota(order.begin() + known, order.end(), known);
  }
  buffers_.exchanges.clear();
}

RandomOrder::~RandomOrder() {
  auto& [order, exchanges] = buffers_;
  for (int i = drawn_; i-- > 0;) std::swap(order[i], order[exchanges[i]]);
}

int RandomOrder::next() {
  std::vector<int>& order = buffers_.order;
  const int other = drawn_ + rng_.below(n_ - drawn_);
  std::swap(order[drawn_], order[other]);
  buffers_.exchanges.push_back(other);
  return order[drawn_++];
}

// Draws the same features as from the dense table.
void DrawnColumns::draw_nonzero(int wanted, RandomOrder& order) {
  while (size() < wanted && order.left() > 0) {
    const int feature = order.next();
    if (!node_.may_vary(feature)) continue;
    if (nonzero_.size() <= drawn_.size()) nonzero_.emplace_back();
    SparseColumn& column = nonzero_[drawn_.size()];
    node_.read_nonzero(feature, column);
    const auto differs = [&](double value) { return value != column.values[0]; };
    const bool any_zero = column.rows.size() < node_.n_rows();
    if (!column.rows.empty() &&
        (any_zero || std::any_of(column.values.begin(), column.values.end(), differs)))
      drawn_.push_back({feature, 0, 0});
  }
}

void DrawnColumns::copy(int i, std::size_t step, double* out) const {
  const std::size_t n = (node_.n_rows() + step - 1) / step;
  if (!are_sparse()) {
    for (std::size_t k = 0; k < n; ++k) out[k] = values(i)[k * step];
    return;
  }
  const SparseColumn& column = nonzero_[i];
  std::fill_n(out, n, 0.0);
  for (std::size_t e = 0; e < column.rows.size(); ++e)
    if (column.rows[e] % step == 0) out[column.rows[e] / step] = column.values[e];
}

void DrawnColumns::add_multiple(int i, double coef, std::vector<double>& projection) const {
  if (!are_sparse()) {
    const double* x = values(i);
    const std::size_t n = projection.size();
    for (std::size_t k = 0; k < n; ++k) projection[k] += coef * x[k];
    return;
  }
  const SparseColumn& column = nonzero_[i];
  for (std::size_t e = 0; e < column.rows.size(); ++e)
    projection[column.rows[e]] += coef * column.values[e];
}

void DrawnColumns::draw(int wanted, RandomOrder& order) {
  if (are_sparse()) return draw_nonzero(wanted, order);
  const std::size_t n = node_.n_rows();
  while (size() < wanted && order.left() > 0) {
    features_.clear();
    for (int c = wanted - size(); c > 0 && order.left() > 0;) {
      const int feature = order.next();
      if (!node_.may_vary(feature)) continue;
      features_.push_back(feature);
      --c;
    }
    const auto count = static_cast<int>(features_.size());
    const std::size_t first = drawn_.size() * n;
    if (values_.size() < first + count * n) values_.resize(first + count * n);
    node_.read(features_.data(), count, values_.data() + first);
    for (int c = 0; c < count; ++c) {
      double* from = values_.data() + first + c * n;
      const DrawnColumn column{features_[c], scores_.size(), drawn_.size() * n};
      if (node_.n_levels(column.feature) > 0) score_levels(column, from);
      if (!varies(from)) continue;
      if (from != values_.data() + column.place)
        std::copy(from, from + n, values_.data() + column.place);
      drawn_.push_back(column);
    }
  }
}

bool DrawnColumns::varies(const double* values) const {
  return std::any_of(values + 1, values + node_.n_rows(),
                     [first = values[0]](double value) { return value != first; });
}

// With more than two classes or outputs, encodes a randomly chosen one.
void DrawnColumns::score_levels(const DrawnColumn& column, double* codes) {
  const SweepRows& rows = node_.rows();
  const auto n_levels = static_cast<std::size_t>(node_.n_levels(column.feature));
  const int which = rows.width <= 2 ? 0 : rng_.below(rows.label ? rows.width : rows.width - 1);
  std::vector<double>& weight = level_weight_;
  weight.assign(n_levels, 0.0);
  scores_.resize(column.first_score + n_levels, 0.0);
  double* score = scores_.data() + column.first_score;
  double present = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < rows.n; ++i) {
    if (codes[i] < 0.0) continue;
    const auto level = static_cast<std::size_t>(codes[i]);
    const double value = rows.label ? static_cast<double>(rows.label[i] == which)
                                    : rows.target[i * (rows.width - 1) + which];
    weight[level] += rows.weight_of(i);
    score[level] += rows.weight_of(i) * value;
  }
  for (std::size_t level = 0; level < n_levels; ++level) {
    present += weight[level];
    sum += score[level];
    if (weight[level] > 0.0) score[level] /= weight[level];
  }
  const double missing = present > 0.0 ? sum / present : 0.0;
  for (std::size_t level = 0; level < n_levels; ++level)
    if (!(weight[level] > 0.0)) score[level] = missing;  // absent at this node
  for (std::size_t i = 0; i < rows.n; ++i)
    codes[i] = codes[i] < 0.0 ? missing : score[static_cast<std::size_t>(codes[i])];
}

void DrawnColumns::add_term(int i, double coef, Split& split) const {
  const DrawnColumn& column = drawn_[i];
  const int first = node_.first_column(column.feature), levels = node_.n_levels(column.feature);
  if (levels == 0) split.add(first, coef);
  for (int level = 0; level < levels; ++level)
    split.add(first + level, coef * scores_[column.first_score + level]);
}

void DrawnColumns::make_test_of_one(int i, double threshold, Split& split) const {
  const DrawnColumn& column = drawn_[i];
  const int first = node_.first_column(column.feature), levels = node_.n_levels(column.feature);
  if (levels == 0) {
    split.add(first, 1.0);
    split.end_vector(threshold);
    return;
  }
  const double* score = scores_.data() + column.first_score;
  const auto inside =
      std::count_if(score, score + levels, [&](double s) { return s <= threshold; });
  const bool name_inside = 2 * inside <= levels;  // list the smaller set
  for (int level = 0; level < levels; ++level)
    if ((score[level] <= threshold) == name_inside)
      split.add(first + level, name_inside ? -1.0 : 1.0);
  split.end_vector(name_inside ? -0.5 : 0.5);
}

}  // namespace aslant
