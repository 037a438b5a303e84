#include "node/node_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/mean.hpp"
#include "support/workspace.hpp"

namespace aslant {

namespace {

constexpr std::size_t kRowsGathered = 256;  // rows gathered at a time: a block stays in cache
// A node of fewer rows of a sparse table, as a share of all, lists its features first: most have no
// stored value in it.
constexpr std::size_t kSmallShare = 64;
constexpr std::int64_t kLookUp = 8;  // looking up one value costs as much as so many stored ones

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

NodeInPlace::NodeInPlace(const Problem& problem, const FeatureMap& features,
                         const std::uint32_t* rows, std::size_t n_rows, const double* statistics)
    : NodeView(problem.rules().criterion, problem.rules().limits),
      problem_(problem),
      features_(features),
      row_(rows) {
  if (problem.target().classes()) {
    ClassNodeTarget& classes = Workspace::get<ClassNodeTarget>();
    classes.assign(problem, rows, n_rows, statistics);
    rows_ = classes.sweep_rows();
  } else {
    RegressionNodeTarget& regression = Workspace::get<RegressionNodeTarget>();
    regression.assign(problem, rows, n_rows, statistics);
    rows_ = regression.sweep_rows();
  }
  const Table& table = problem.features().table();
  if (!table.is_sparse() || problem.features().columns().any_levels()) return;
  stored_ = &problem.features().stored_columns();
  positions_.emplace(rows, n_rows, table.n_rows);
  if (n_rows * kSmallShare < static_cast<std::size_t>(table.n_rows)) see_features();
}

void NodeInPlace::see_features() {
  const Table& table = problem_.features().table();
  SeenFeatures& seen = Workspace::get<SeenFeatures>();
  seen.node_of.resize(table.n_features, 0);
  ++seen.node;
  for (std::size_t i = 0; i < rows_.n; ++i)
    for (std::int64_t e = table.row_begin[row_[i]]; e < table.row_begin[row_[i] + 1]; ++e)
      seen.node_of[table.feature_of[e]] = seen.node;
  seen_ = &seen;
}

// Calls visit(position, value, present) for stored values of a feature; those of other rows, which
// are not present, have any position. Branchless: membership is unpredictable.
template <class Visit>
void NodeInPlace::for_each_stored(int feature, const Visit& visit) const {
  const std::int64_t begin = stored_->begin(feature), end = stored_->end(feature);
  if (static_cast<std::int64_t>(rows_.n) * kLookUp < end - begin) {
    for (std::size_t i = 0; i < rows_.n; ++i) {
      const double value = problem_.features().table().at(row_[i], feature);
      visit(static_cast<std::uint32_t>(i), value, value != 0.0);
    }
    return;
  }
  for (std::int64_t e = begin; e < end; ++e) {
    const std::uint32_t row = stored_->row(e);
    visit(positions_->of(row), stored_->value(e), positions_->has(row));
  }
}

void NodeInPlace::read_nonzero(int feature, SparseColumn& out) const {
  if (problem_.features().has_missing(feature)) {
    struct Buffers {
      std::vector<double> values;
    };
    std::vector<double>& values = Workspace::get<Buffers>().values;
    values.resize(rows_.n);
    read(&feature, 1, values.data());
    out.assign_nonzero(values);
    return;
  }
  const auto most = std::min<std::size_t>(rows_.n, stored_->end(feature) - stored_->begin(feature));
  out.rows.resize(most + 1);  // one more is written, and dropped
  out.values.resize(most + 1);
  std::size_t n = 0;
  for_each_stored(feature, [&](std::uint32_t position, double value, bool present) {
    out.rows[n] = position;
    out.values[n] = value;
    n += present & (value != 0.0);
  });
  out.rows.resize(n);
  out.values.resize(n);
}

void NodeInPlace::read(const int* features, int count, double* out) const {
  const Table& table = problem_.features().table();
  if (stored_ != nullptr) {
    std::fill_n(out, count * rows_.n, 0.0);
    for (int c = 0; c < count; ++c)
      for_each_stored(features[c], [&](std::uint32_t position, double value, bool present) {
        if (present) out[c * rows_.n + position] = value;
      });
  }
  for (std::size_t begin = 0; begin < rows_.n && stored_ == nullptr; begin += kRowsGathered) {
    const std::size_t n = std::min(kRowsGathered, rows_.n - begin);
    for (int c = 0; c < count; ++c) {
      table.gather(features[c], row_ + begin, n, out + c * rows_.n + begin);
    }
  }
  for (int c = 0; c < count; ++c)
    if (problem_.features().has_missing(features[c])) fill_missing(features[c], out + c * rows_.n);
}

void NodeInPlace::fill_missing(int feature, double* values) const {
  double* end = values + rows_.n;
  if (std::none_of(values, end, [](double value) { return std::isnan(value); })) return;
  const double stand_in = n_levels(feature) > 0 ? -1.0 : fill(first_column(feature));
  std::replace_if(values, end, [](double value) { return std::isnan(value); }, stand_in);
}

double NodeInPlace::fill(int column) const {
  if (problem_.rules().fill_with_training_mean) return problem_.training_mean(column);
  const Columns& columns = problem_.features().columns();
  const int level = columns.level[column];
  if (level < 0 && !problem_.features().has_missing(columns.feature[column])) {
    struct Buffers {
      std::vector<double> values;
    };
    std::vector<double>& values = Workspace::get<Buffers>().values;
    values.resize(rows_.n);
    read(&columns.feature[column], 1, values.data());
    return mean_of(values.data(), rows_.weight, rows_.n);
  }
  WeightedMean mean;
  for (std::size_t i = 0; i < rows_.n; ++i) {
    const double x = problem_.features().table().at(row_[i], columns.feature[column]);
    if (x == x) mean.add(level < 0 ? x : (x == level ? 1.0 : 0.0), rows_.weight_of(i));
  }
  return mean.weight() > 0.0 ? mean.mean() : problem_.training_mean(column);
}

NodeWithColumns::NodeWithColumns(const Node& node)
    : NodeView(node.criterion(), node.limits()), node_(node) {
  rows_ = node.target().sweep_rows();
}

// Numeric features first, then categories.
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

void NodeWithColumns::read_nonzero(int feature, SparseColumn& out) const {
  std::optional<SparseColumn> column = node_.columns().sparse(first_column(feature));
  out = column ? std::move(*column) : SparseColumn{};
}

void NodeWithColumns::read(const int* features, int count, double* out) const {
  struct Buffers {
    std::vector<double> column;
  };
  std::vector<double>& scratch = Workspace::get<Buffers>().column;
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
