// Gradient boosting.

#include "boosting/boosting.hpp"

#include "bindings/boundary.hpp"

namespace aslant {

namespace {

std::shared_ptr<BinnedFeatures> bin_features(const py::object& X,
                                             const Array<std::int32_t>& column_feature,
                                             const Array<std::int32_t>& column_level,
                                             const std::optional<Array<double>>& weight,
                                             int max_bins, std::uint64_t seed, int n_threads) {
  const Table table = table_of(X);
  require(!table.is_sparse(), "X must be dense");
  require(table.n_rows >= 1 && table.n_features >= 1, "X must have a row and a feature");
  require(max_bins >= 2 && max_bins <= BinnedFeatures::kMostBins,
          "max_bins must be from 2 to " + std::to_string(BinnedFeatures::kMostBins));
  const Columns columns = columns_of(column_feature, column_level);
  columns.check(table.n_features);
  const std::vector<double> weights = checked_weights(weight, table.n_rows);
  const WithoutInterpreterLock no_lock;
  Supervisor supervisor;
  ThreadPool pool(n_threads, supervisor);
  auto features = std::make_shared<Features>(table, columns);
  auto* binned = new BinnedFeatures(*features, weights, max_bins, seed, pool);
  return {binned, [features](BinnedFeatures* made) { delete made; }};
}

py::dict feature_facts(const BinnedFeatures& binned, int feature) {
  require(feature >= 0 && feature < binned.n_features(), "there is no such feature");
  const BinnedFeature& f = binned[feature];
  py::dict facts;
  facts["thresholds"] = to_array(f.threshold);
  facts["n_bins"] = f.n_bins;
  facts["has_missing"] = f.has_missing;
  facts["in_directions"] = f.in_directions;
  facts["mean"] = f.mean;
  facts["scale"] = f.scale;
  return facts;
}

py::array_t<std::uint8_t> bins_of(const BinnedFeatures& binned) {
  py::array_t<std::uint8_t> bins({binned.n_rows(), static_cast<std::int64_t>(binned.n_features())});
  for (std::int64_t row = 0; row < binned.n_rows(); ++row)
    std::copy_n(binned.record(row), binned.n_features(), bins.mutable_data(row, 0));
  return bins;
}

LossRows checked_loss_rows(const Loss& loss, const std::string& name, const Array<double>& y,
                           const std::optional<Array<double>>& weight) {
  LossRows rows;
  rows.y = finite_vector(y, static_cast<std::size_t>(y.size()), "y");
  rows.weight = checked_weights(weight, static_cast<std::int64_t>(rows.size()));
  require(rows.size() > 0, "y must have a value");
  const int n_classes = name == "log_loss" ? std::max(2, loss.n_outputs()) : 0;
  for (const double value : rows.y)
    require(n_classes == 0 || (value >= 0.0 && value < n_classes && value == std::floor(value)),
            "y must hold class codes");
  return rows;
}

std::vector<double> checked_raw(const Array<double>& raw, const Loss& loss, std::size_t n_rows) {
  require(raw.ndim() == 2 && raw.shape(0) == loss.n_outputs() &&
              static_cast<std::size_t>(raw.shape(1)) == n_rows,
          "raw predictions must have a row for each output and a column for each row");
  return to_vector(raw);
}

// A loss with its rows, for validation rows and tests.
struct BoundLoss {
  std::shared_ptr<const Loss> loss;
  LossRows rows;

  static BoundLoss make(const std::string& name, double quantile, int n_outputs,
                        const Array<double>& y, const std::optional<Array<double>>& weight) {
    require(n_outputs >= 1, "a loss needs an output");
    std::shared_ptr<const Loss> loss = Loss::make(name, quantile, n_outputs);
    require(loss->n_outputs() == n_outputs, "this loss has one output");
    LossRows rows = checked_loss_rows(*loss, name, y, weight);
    return {loss, std::move(rows)};
  }

  double mean(const Array<double>& raw, int n_threads) const {
    const std::vector<double> predicted = checked_raw(raw, *loss, rows.size());
    const WithoutInterpreterLock no_lock;
    Supervisor supervisor;
    ThreadPool pool(n_threads, supervisor);
    return loss->mean(rows, predicted.data(), pool);
  }

  py::tuple derivatives(const Array<double>& raw) const {
    const std::vector<double> predicted = checked_raw(raw, *loss, rows.size());
    std::vector<Derivatives> out(predicted.size());
    Supervisor supervisor;
    ThreadPool pool(1, supervisor);
    loss->derive(rows, predicted.data(), out.data(), pool);
    py::array_t<double> gradient({raw.shape(0), raw.shape(1)});
    py::array_t<double> hessian({raw.shape(0), raw.shape(1)});
    for (std::size_t i = 0; i < out.size(); ++i) {
      gradient.mutable_data()[i] = out[i].gradient;
      hessian.mutable_data()[i] = out[i].hessian;
    }
    return py::make_tuple(gradient, hessian);
  }
};

std::vector<std::vector<int>> checked_groups(std::vector<std::vector<int>> groups, int n_features) {
  for (std::vector<int>& group : groups) {
    require(!group.empty(), "an interaction group needs a feature");
    std::sort(group.begin(), group.end());
    require(group.front() >= 0 && group.back() < n_features,
            "an interaction group names a feature that does not exist");
  }
  return groups;
}

std::shared_ptr<Boosting> make_boosting(const std::shared_ptr<BinnedFeatures>& binned,
                                        const BoundLoss& target, const Array<double>& raw,
                                        double learning_rate, std::int64_t max_leaf_nodes,
                                        std::int64_t max_depth, std::int64_t min_samples_leaf,
                                        double l2_regularization, double max_features,
                                        const std::vector<std::int8_t>& monotonic,
                                        const std::vector<std::vector<int>>& interaction_groups,
                                        int n_drawn, int max_features_per_test,
                                        std::int64_t oblique_min_rows) {
  require(static_cast<std::int64_t>(target.rows.size()) == binned->n_rows(),
          "y must have a value for each row");
  require(static_cast<int>(monotonic.size()) == binned->n_features(),
          "there must be a monotonic constraint for each feature");
  require(std::isfinite(learning_rate) && l2_regularization >= 0.0 && max_features > 0.0,
          "a setting of the trees is out of range");
  BoostingSettings settings;
  settings.rules.l2 = l2_regularization;
  settings.rules.min_rows = static_cast<double>(std::max<std::int64_t>(1, min_samples_leaf));
  settings.max_leaf_nodes = max_leaf_nodes;
  settings.max_depth = max_depth;
  settings.max_features = max_features;
  settings.learning_rate = learning_rate;
  settings.directions = {n_drawn, max_features_per_test, oblique_min_rows};
  settings.monotonic = monotonic;
  settings.interaction_groups = checked_groups(interaction_groups, binned->n_features());
  return std::make_shared<Boosting>(binned, target.loss, target.rows,
                                    checked_raw(raw, *target.loss, target.rows.size()),
                                    std::move(settings));
}

py::dict arrays_of(BoostedTree&& tree, const Features& features) {
  const auto nodes = static_cast<py::ssize_t>(tree.value.size());
  py::dict arrays;
  arrays["children"] = moved_to_array(std::move(tree.children), {nodes, 2});
  arrays["row_start"] = moved_to_array(std::move(tree.row_start));
  arrays["coef_start"] = moved_to_array(std::move(tree.coef_start));
  arrays["coef_column"] = moved_to_array(std::move(tree.coef_column));
  arrays["coef_value"] = moved_to_array(std::move(tree.coef_value));
  arrays["coef_fill"] = moved_to_array(std::move(tree.coef_fill));
  arrays["offset"] = moved_to_array(std::move(tree.offset));
  arrays["column_feature"] = to_array(features.columns().feature);
  arrays["column_level"] = to_array(features.columns().level);
  arrays["value"] = moved_to_array(std::move(tree.value), {nodes, 1});
  arrays["n_node_samples"] = moved_to_array(std::move(tree.n_node_samples));
  arrays["impurity"] = moved_to_array(std::move(tree.impurity));
  arrays["node_weight"] = moved_to_array(std::move(tree.node_weight));
  arrays["n_features"] = features.table().n_features;
  return arrays;
}

py::list grow_round(Boosting& boosting, std::uint64_t key, int n_threads) {
  auto look_outside = outside_world(py::none());
  std::vector<BoostedTree> grown;
  {
    const WithoutInterpreterLock no_lock;
    grown = boosting.grow(key, n_threads, std::ref(look_outside));
  }
  py::list trees;
  for (BoostedTree& tree : grown)
    trees.append(arrays_of(std::move(tree), boosting.binned().features()));
  return trees;
}

double mean_loss(const Boosting& boosting, int n_threads) {
  const WithoutInterpreterLock no_lock;
  Supervisor supervisor;
  ThreadPool pool(n_threads, supervisor);
  return boosting.loss().mean(boosting.rows(), boosting.raw().data(), pool);
}

py::array_t<double> raw_of(const Boosting& boosting) {
  const auto outputs = static_cast<py::ssize_t>(boosting.loss().n_outputs());
  return to_array(boosting.raw(), {outputs, static_cast<py::ssize_t>(boosting.rows().size())});
}

}  // namespace

void bind_boosting(py::module_& module) {
  using namespace py::literals;
  py::class_<BinnedFeatures, std::shared_ptr<BinnedFeatures>>(module, "BinnedFeatures")
      .def(py::init(&bin_features), "X"_a, "column_feature"_a, "column_level"_a, "weight"_a,
           "max_bins"_a, "seed"_a, "n_threads"_a, Computes())
      .def_property_readonly("bins", &bins_of)
      .def_property_readonly("n_features", &BinnedFeatures::n_features)
      .def("feature", &feature_facts);
  py::class_<BoundLoss>(module, "BoostingLoss")
      .def(py::init(&BoundLoss::make), "name"_a, "quantile"_a, "n_outputs"_a, "y"_a, "weight"_a)
      .def("baseline", [](const BoundLoss& self) { return self.loss->baseline(self.rows); })
      .def("mean", &BoundLoss::mean, "raw"_a, "n_threads"_a)
      .def("derivatives", &BoundLoss::derivatives, "raw"_a);
  py::class_<Boosting, std::shared_ptr<Boosting>>(module, "Boosting")
      .def(py::init(&make_boosting), py::kw_only(), "binned"_a, "loss"_a, "raw"_a,
           "learning_rate"_a, "max_leaf_nodes"_a, "max_depth"_a, "min_samples_leaf"_a,
           "l2_regularization"_a, "max_features"_a, "monotonic"_a, "interaction_groups"_a,
           "n_drawn"_a, "max_features_per_test"_a, "oblique_min_rows"_a)
      .def("grow", &grow_round, "key"_a, "n_threads"_a, Computes())
      .def("mean_loss", &mean_loss, "n_threads"_a)
      .def_property_readonly("raw", &raw_of)
      .def_property_readonly("n_directions", &Boosting::n_directions);
}

}  // namespace aslant
