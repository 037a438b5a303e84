#include "node_view.hpp"

#include <algorithm>
#include <cmath>

#include "mean.hpp"

namespace aslant {

namespace {

constexpr std::size_t kBlock = 256;  // rows gathered at a time: a block stays in cache

// Targets of the node at hand, one set per thread.
struct TargetBuffers {
  std::vector<std::int32_t> label, number_of;
  std::vector<double> weight, number, total, unit;
  std::vector<std::uint32_t> times;
};

TargetBuffers& thread_buffers() {
  static thread_local TargetBuffers buffers;
  return buffers;
}

template <class T>
void gather(const Table& table, const std::uint32_t* rows, std::size_t n, int feature,
            double* out) {
  const char* base = table.data + feature * table.feature_stride;
  for (std::size_t i = 0; i < n; ++i)
    out[i] = static_cast<double>(*reinterpret_cast<const T*>(
        base + static_cast<std::ptrdiff_t>(rows[i]) * table.row_stride));
}

}  // namespace

FeatureMap::FeatureMap(const Columns& columns) {
  for (int j = 0; j < columns.size(); ++j) {
    if (j == 0 || columns.feature[j] != columns.feature[j - 1]) {
      first_column.push_back(j);
      n_levels.push_back(0);
    }
    if (columns.level[j] >= 0) ++n_levels.back();
  }
}

bool NodeInPlace::can_read(const Data& data) {
  return std::none_of(data.has_extreme.begin(), data.has_extreme.end(),
                      [](char extreme) { return extreme != 0; });
}

NodeInPlace::NodeInPlace(const Problem& problem, const FeatureMap& features,
                         const std::uint32_t* rows, std::size_t n_rows, const double* statistics)
    : NodeView(problem.rules().criterion, problem.rules().limits),
      problem_(problem),
      features_(features),
      row_(rows) {
  rows_.n = n_rows;
  set_weights();
  problem.data().target.has_classes() ? set_classes(statistics) : set_numbers(statistics);
}

void NodeInPlace::set_weights() {
  if (problem_.data().target.weight.empty() && !problem_.repeats()) return;
  std::vector<double>& weight = thread_buffers().weight;
  weight.resize(rows_.n);
  for (std::size_t i = 0; i < rows_.n; ++i) weight[i] = problem_.weight_of(row_[i]);
  rows_.weight = weight.data();
}

// The classes that are present here get the first numbers.
void NodeInPlace::set_classes(const double* statistics) {
  const Target& target = problem_.data().target;
  TargetBuffers& buffers = thread_buffers();
  buffers.number_of.resize(target.n_classes);
  buffers.total.clear();
  for (int k = 0; k < target.n_classes; ++k) {
    buffers.number_of[k] = static_cast<std::int32_t>(buffers.total.size());
    if (statistics[k] > 0.0) buffers.total.push_back(statistics[k]);
  }
  buffers.label.resize(rows_.n);
  for (std::size_t i = 0; i < rows_.n; ++i)
    buffers.label[i] = buffers.number_of[target.label[row_[i]]];
  rows_.label = buffers.label.data();
  rows_.total = buffers.total.data();
  rows_.width = static_cast<int>(buffers.total.size());
}

// Numbers are counted from near their mean where squares are summed, as in NodeTarget.
void NodeInPlace::set_numbers(const double* statistics) {
  const Target& target = problem_.data().target;
  TargetBuffers& buffers = thread_buffers();
  const auto outputs = static_cast<std::size_t>(target.n_outputs);
  const bool centred = criterion() == CriterionKind::squared_error;
  buffers.total.assign(statistics, statistics + outputs + 1);
  if (centred) std::fill(buffers.total.begin() + 1, buffers.total.end(), 0.0);
  buffers.number.resize(rows_.n * outputs);
  for (std::size_t i = 0; i < rows_.n; ++i)
    std::copy_n(&target.number[row_[i] * outputs], outputs, &buffers.number[i * outputs]);
  for (std::size_t q = 0; centred && q < outputs; ++q) {
    double* first = &buffers.number[q];
    const double mean = statistics[q + 1] / statistics[0];
    double largest = 0.0;
    for (std::size_t i = 0; i < rows_.n; ++i)
      largest = std::max(largest, std::abs(first[i * outputs] - mean));
    const double centre = round_number_near(mean, largest);
    for (std::size_t i = 0; i < rows_.n; ++i) {
      first[i * outputs] -= centre;
      buffers.total[q + 1] += rows_.weight_of(i) * first[i * outputs];
    }
  }
  rows_.number = buffers.number.data();
  rows_.total = buffers.total.data();
  rows_.width = target.width();
}

void NodeInPlace::read(const int* features, int count, double* out) const {
  const Table& table = problem_.data().table;
  for (std::size_t begin = 0; begin < rows_.n; begin += kBlock) {
    const std::size_t n = std::min(kBlock, rows_.n - begin);
    for (int c = 0; c < count; ++c) {
      double* to = out + c * rows_.n + begin;
      if (table.single_precision)
        gather<float>(table, row_ + begin, n, features[c], to);
      else
        gather<double>(table, row_ + begin, n, features[c], to);
    }
  }
  for (int c = 0; c < count; ++c)
    if (problem_.data().has_missing[features[c]]) fill_missing(features[c], out + c * rows_.n);
}

void NodeInPlace::fill_missing(int feature, double* values) const {
  double* end = values + rows_.n;
  if (std::none_of(values, end, [](double value) { return std::isnan(value); })) return;
  const double stand_in = n_levels(feature) > 0 ? -1.0 : fill(first_column(feature));
  std::replace_if(values, end, [](double value) { return std::isnan(value); }, stand_in);
}

double NodeInPlace::fill(int column) const {
  if (problem_.rules().fill_with_training_mean) return problem_.training_mean(column);
  const Columns& columns = problem_.data().columns;
  const int level = columns.level[column];
  WeightedMean mean;
  for (std::size_t i = 0; i < rows_.n; ++i) {
    const double x = problem_.data().table.at(row_[i], columns.feature[column]);
    if (x == x) mean.add(level < 0 ? x : (x == level ? 1.0 : 0.0), rows_.weight_of(i));
  }
  return mean.weight() > 0.0 ? mean.mean() : problem_.training_mean(column);
}

NodeWithColumns::NodeWithColumns(const Node& node)
    : NodeView(node.criterion(), node.limits()), node_(node) {
  rows_ = node.target().sweep_rows();
}

// Numbers come first, then categories.
int NodeWithColumns::n_features() const {
  const NodeColumns& columns = node_.columns();
  return static_cast<int>(columns.numeric().size() + columns.groups().size());
}

const CategoryGroup* NodeWithColumns::group(int feature) const {
  const auto n_numbers = static_cast<int>(node_.columns().numeric().size());
  return feature < n_numbers ? nullptr : &node_.columns().groups()[feature - n_numbers];
}

int NodeWithColumns::first_column(int feature) const {
  const CategoryGroup* category = group(feature);
  return category ? category->first_column : node_.columns().numeric()[feature];
}

int NodeWithColumns::n_levels(int feature) const {
  const CategoryGroup* category = group(feature);
  return category ? category->n_levels : 0;
}

void NodeWithColumns::read(const int* features, int count, double* out) const {
  static thread_local std::vector<double> scratch;
  for (int c = 0; c < count; ++c, out += rows_.n) {
    if (const CategoryGroup* category = group(features[c])) {
      std::copy(category->code.begin(), category->code.end(), out);
      continue;
    }
    const double* x = node_.columns().peek(first_column(features[c]), scratch);
    std::copy(x, x + rows_.n, out);
  }
}

}  // namespace aslant
