#include "search/drawn_columns.hpp"

#include <algorithm>
#include <numeric>

namespace aslant {

namespace {

// 0, 1, 2, ... whenever nothing is drawn from it.
std::vector<int>& thread_order() {
  static thread_local std::vector<int> order;
  return order;
}
std::vector<int>& thread_exchanges() {
  static thread_local std::vector<int> exchanges;
  return exchanges;
}

}  // namespace

RandomOrder::RandomOrder(int n, Rng& rng) : n_(n), rng_(rng) {
  std::vector<int>& order = thread_order();
  const auto known = static_cast<int>(order.size());
  if (known < n) {
    order.resize(n);
    std::iota(order.begin() + known, order.end(), known);
  }
  thread_exchanges().clear();
}

RandomOrder::~RandomOrder() {
  std::vector<int>&order = thread_order(), &exchanges = thread_exchanges();
  for (int i = drawn_; i-- > 0;) std::swap(order[i], order[exchanges[i]]);
}

int RandomOrder::next() {
  std::vector<int>& order = thread_order();
  const int other = drawn_ + rng_.below(n_ - drawn_);
  std::swap(order[drawn_], order[other]);
  thread_exchanges().push_back(other);
  return order[drawn_++];
}

thread_local std::vector<double> DrawnColumns::values_, DrawnColumns::scores_;
thread_local std::vector<DrawnColumn> DrawnColumns::drawn_;

void DrawnColumns::draw(int wanted, RandomOrder& order) {
  static thread_local std::vector<int> features;
  const std::size_t n = node_.n_rows();
  while (size() < wanted && order.left() > 0) {
    features.clear();
    const int count = std::min(wanted - size(), order.left());
    for (int c = 0; c < count; ++c) features.push_back(order.next());
    const std::size_t first = drawn_.size() * n;
    if (values_.size() < first + count * n) values_.resize(first + count * n);
    node_.read(features.data(), count, values_.data() + first);
    for (int c = 0; c < count; ++c) {
      double* from = values_.data() + first + c * n;
      const DrawnColumn column{features[c], scores_.size(), drawn_.size() * n};
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

// Of more than two classes, or of several outputs, one is drawn.
void DrawnColumns::score_levels(const DrawnColumn& column, double* codes) {
  const SweepRows& rows = node_.rows();
  const auto n_levels = static_cast<std::size_t>(node_.n_levels(column.feature));
  const int which = rows.width <= 2 ? 0 : rng_.below(rows.label ? rows.width : rows.width - 1);
  static thread_local std::vector<double> weight;
  weight.assign(n_levels, 0.0);
  scores_.resize(column.first_score + n_levels, 0.0);
  double* score = scores_.data() + column.first_score;
  double present = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < rows.n; ++i) {
    if (codes[i] < 0.0) continue;
    const auto level = static_cast<std::size_t>(codes[i]);
    const double value = rows.label ? static_cast<double>(rows.label[i] == which)
                                    : rows.number[i * (rows.width - 1) + which];
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
    if (!(weight[level] > 0.0)) score[level] = missing;  // no row here says anything of it
  for (std::size_t i = 0; i < rows.n; ++i)
    codes[i] = codes[i] < 0.0 ? missing : score[static_cast<std::size_t>(codes[i])];
}

void DrawnColumns::add_term(int i, double coef, Hyperplane& plane) const {
  const DrawnColumn& column = drawn_[i];
  const int first = node_.first_column(column.feature), levels = node_.n_levels(column.feature);
  if (levels == 0) plane.add(first, coef);
  for (int level = 0; level < levels; ++level)
    plane.add(first + level, coef * scores_[column.first_score + level]);
}

void DrawnColumns::make_test_of_one(int i, Hyperplane& plane) const {
  const DrawnColumn& column = drawn_[i];
  const int first = node_.first_column(column.feature), levels = node_.n_levels(column.feature);
  if (levels == 0) {
    plane.add(first, 1.0);
    return;
  }
  const double* score = scores_.data() + column.first_score;
  const auto inside =
      std::count_if(score, score + levels, [&](double s) { return s <= plane.threshold; });
  const bool name_inside = 2 * inside <= levels;  // the smaller set is named
  for (int level = 0; level < levels; ++level)
    if ((score[level] <= plane.threshold) == name_inside)
      plane.add(first + level, name_inside ? -1.0 : 1.0);
  plane.threshold = name_inside ? -0.5 : 0.5;
}

}  // namespace aslant
