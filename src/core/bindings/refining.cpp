// The joint fit of a tree's tests and leaves, and its soft probabilities.

#include <algorithm>

#include "bindings/boundary.hpp"
#include "bindings/outside_world.hpp"
#include "refine/leaf_shares.hpp"
#include "refine/minimise.hpp"
#include "refine/soft_prediction.hpp"
#include "refine/soft_tree.hpp"
#include "support/parallel.hpp"

namespace aslant {

namespace {

// Validates that every inner node has two later children and that a subtree is a range of nodes.
std::vector<std::int32_t> checked_children(const Array<std::int32_t>& children) {
  require(children.ndim() == 2 && children.shape(1) == 2 && children.shape(0) >= 1,
          "children must hold two nodes, or -1 twice, for each node");
  const std::vector<std::int32_t> pairs = to_vector(children);
  std::vector<std::int32_t> expected = {0};  // a preorder walk meets the nodes as numbered
  std::int32_t node = 0;
  for (; !expected.empty(); ++node) {
    require(expected.back() == node && node < children.shape(0), "the nodes are not in preorder");
    expected.pop_back();
    require((pairs[2 * node] < 0) == (pairs[2 * node + 1] < 0), "a node with one child");
    if (pairs[2 * node] < 0) continue;
    expected.push_back(pairs[2 * node + 1]);
    expected.push_back(pairs[2 * node]);
  }
  require(node == children.shape(0), "a node that no test leads to");
  return pairs;
}

std::unique_ptr<SoftTree> make_soft_tree(const Array<double>& Z, const py::object& y,
                                         const Array<double>& weight,
                                         const Array<std::int32_t>& leaf,
                                         const Array<std::int32_t>& children,
                                         const Array<double>& fill, int n_classes,
                                         bool linear_leaves, bool fill_with_zero) {
  require(Z.ndim() == 2, "Z must be a matrix");
  const std::vector<std::int32_t> pairs = checked_children(children);
  std::vector<std::int32_t> label;
  Array<double> numbers;
  py::ssize_t n_outputs = 0;
  if (n_classes > 0) {
    label = checked_labels(y, Z.shape(0), n_classes);
    // The log-odds of two classes are one logit.
    n_outputs = !linear_leaves ? 0 : n_classes == 2 ? 1 : n_classes;
  } else {
    numbers = py::cast<Array<double>>(y);
    require(numbers.ndim() == 2 && numbers.shape(0) == Z.shape(0) && numbers.shape(1) >= 1,
            "y must be a matrix with a row of numbers for each row");
    finite_vector(numbers.reshape({numbers.size()}), numbers.size(), "y");
    n_outputs = numbers.shape(1);
  }
  const auto n_rows = static_cast<std::size_t>(Z.shape(0));
  const std::vector<double> weights = finite_vector(weight, n_rows, "sample weights");
  for (double w : weights) require(w >= 0.0, "sample weights must not be negative");
  for (py::ssize_t i = 0; i < Z.size(); ++i)
    require(!std::isinf(Z.data()[i]), "Z must not hold infinite values");
  require(leaf.ndim() == 1 && leaf.size() == Z.shape(0), "leaf must hold a leaf for each row");
  for (py::ssize_t i = 0; i < leaf.size(); ++i) {
    const std::int32_t node = leaf.data()[i];
    require(node >= 0 && node < children.shape(0) && pairs[2 * node] < 0, "not a leaf");
  }
  const auto n_inner = (children.shape(0) - 1) / 2;
  const auto n_planes = n_inner + (n_inner + 1) * n_outputs;
  require(fill.ndim() == 2 && fill.shape(0) == n_planes && fill.shape(1) == Z.shape(1),
          "fill must hold a number or NaN for each plane and column");
  for (py::ssize_t i = 0; i < fill.size(); ++i)
    require(!std::isinf(fill.data()[i]), "fill must not hold infinite values");
  SoftRows rows{n_rows,
                static_cast<std::size_t>(Z.shape(1)),
                Z.data(),
                n_classes > 0 ? label.data() : nullptr,
                weights.data(),
                leaf.data(),
                fill.data(),
                n_classes,
                n_classes > 0 ? nullptr : numbers.data(),
                static_cast<int>(n_outputs)};
  SoftOptions options;
  options.fill_with_zero = fill_with_zero;
  const WithoutInterpreterLock no_lock;
  return std::make_unique<SoftTree>(rows, pairs, options);
}

std::vector<double> checked_parameters(const SoftTree& tree, const Array<double>& parameters) {
  return finite_vector(parameters, tree.n_parameters(), "parameters");
}

// Columns whose coefficients stay 0 are not read.
void restrict_to_what_counts(SoftTree& tree, const std::vector<double>& point,
                             const std::vector<bool>& stays) {
  const std::size_t d = tree.n_columns();
  std::vector<bool> used(tree.n_planes() * d, true), moves(tree.n_planes(), true);
  for (std::size_t u = 0; u < tree.n_planes() && !stays.empty(); ++u) {
    moves[u] = !stays[u * (d + 1) + d];
    for (std::size_t j = 0; j < d; ++j) {
      const std::size_t i = u * (d + 1) + j;
      used[u * d + j] = !stays[i] || point[i] != 0.0;
      moves[u] = moves[u] || !stays[i];
    }
  }
  tree.restrict_to(used, moves);
}

py::tuple evaluate(SoftTree& tree, const Array<double>& parameters, double strength) {
  const std::vector<double> point = checked_parameters(tree, parameters);
  std::vector<double> gradient(point.size());
  restrict_to_what_counts(tree, point, {});
  const double value = tree.evaluate(point, strength, gradient);
  return py::make_tuple(value, to_array(gradient));
}

py::tuple minimise_soft_tree(SoftTree& tree, const Array<double>& start, double strength,
                             const Array<double>& l1, const Array<std::int32_t>& sign,
                             const Array<bool>& fixed, int max_iterations, double tolerance,
                             const py::object& progress) {
  std::vector<double> point = checked_parameters(tree, start);
  ParameterRules rules;
  if (l1.size() > 0) rules.l1 = finite_vector(l1, point.size(), "l1");
  for (double p : rules.l1) require(p >= 0.0, "l1 must not be negative");
  rules.sign = to_vector(sign);
  require(rules.sign.empty() || rules.sign.size() == point.size(),
          "sign must say for each parameter which signs it may have");
  require(fixed.ndim() == 1 &&
              (fixed.size() == 0 || static_cast<std::size_t>(fixed.size()) == point.size()),
          "fixed must say for each parameter whether it stays");
  const std::vector<bool> stays(fixed.data(), fixed.data() + fixed.size());
  require(strength >= 0.0 && std::isfinite(strength), "l2 must not be negative");
  const MinimiseOptions options{max_iterations, tolerance};
  restrict_to_what_counts(tree, point, stays);
  auto look_outside = outside_world(progress);
  Minimum minimum;
  {
    const WithoutInterpreterLock no_lock;
    minimum = minimise(
        [&](const std::vector<double>& parameters, std::vector<double>& gradient) {
          look_outside();
          const double value = tree.evaluate(parameters, strength, gradient);
          for (std::size_t i = 0; i < stays.size(); ++i)
            if (stays[i]) gradient[i] = 0.0;
          return value;
        },
        std::move(point), rules, options);
  }
  return py::make_tuple(to_array(minimum.point), minimum.value, minimum.iterations);
}

py::array_t<double> fitted_shares(const Array<double>& reach, const py::object& y,
                                  const Array<double>& weight, const Array<double>& start,
                                  int iterations) {
  require(reach.ndim() == 2 && start.ndim() == 2 && start.shape(0) == reach.shape(1) &&
              start.shape(1) >= 1,
          "reach must have a column, and start a row, for each leaf");
  const std::vector<std::int32_t> label =
      checked_labels(y, reach.shape(0), static_cast<int>(start.shape(1)));
  const std::vector<double> weights = finite_vector(weight, label.size(), "sample weights");
  const ReachedLeaves rows{label.size(),
                           static_cast<std::size_t>(reach.shape(1)),
                           static_cast<std::size_t>(start.shape(1)),
                           reach.data(),
                           label.data(),
                           weights.data()};
  std::vector<double> share = to_vector(start);
  {
    const WithoutInterpreterLock no_lock;
    share = leaf_shares(rows, std::move(share), iterations, SoftOptions());
  }
  return to_array(share, {start.shape(0), start.shape(1)});
}

// Minimizes a Python function, for comparisons.
py::tuple minimise_function(const py::function& function, const Array<double>& start,
                            const Array<double>& l1, int max_iterations, double tolerance,
                            const std::vector<int>& sign) {
  const Minimum minimum = minimise(
      [&](const std::vector<double>& point, std::vector<double>& gradient) {
        const auto found = py::cast<py::tuple>(function(to_array(point)));
        gradient = finite_vector(py::cast<Array<double>>(found[1]), point.size(), "gradient");
        return py::cast<double>(found[0]);
      },
      to_vector(start), {to_vector(l1), sign}, MinimiseOptions{max_iterations, tolerance});
  return py::make_tuple(to_array(minimum.point), minimum.value, minimum.iterations);
}

std::unique_ptr<SoftPrediction> make_prediction(
    const Array<std::int32_t>& children, const Array<std::int64_t>& coef_start,
    const Array<std::int32_t>& coef_column, const Array<double>& coef_value,
    const Array<double>& coef_fill, const Array<double>& threshold, const Array<double>& steepness,
    const Array<double>& share, const Array<std::int32_t>& column_feature,
    const Array<std::int32_t>& column_level, double exponent) {
  auto soft = std::make_unique<SoftPrediction>();
  soft->children = checked_children(children);
  const auto n_nodes = static_cast<std::size_t>(children.shape(0));
  soft->columns = columns_of(column_feature, column_level);
  require(soft->columns.feature.size() == soft->columns.level.size(),
          "columns need a feature and a level each");
  soft->coef_start = to_vector(coef_start);
  soft->coef_column = to_vector(coef_column);
  const std::size_t n_coefs = soft->coef_column.size();
  soft->coef_value = finite_vector(coef_value, n_coefs, "coefficients");
  soft->coef_fill = finite_vector(coef_fill, n_coefs, "fills");
  soft->threshold = finite_vector(threshold, n_nodes, "thresholds");
  soft->steepness = finite_vector(steepness, n_nodes, "steepness");
  require(soft->coef_start.size() == n_nodes + 1 && soft->coef_start.front() == 0 &&
              std::is_sorted(soft->coef_start.begin(), soft->coef_start.end()) &&
              soft->coef_start.back() == static_cast<std::int64_t>(n_coefs),
          "the coefficients do not fit the nodes");
  for (std::int32_t column : soft->coef_column)
    require(column >= 0 && column < soft->columns.size(), "a column that is not there");
  require(share.ndim() == 2 && share.shape(0) == children.shape(0) && share.shape(1) >= 1,
          "share must be a matrix with one row per node");
  soft->n_classes = static_cast<int>(share.shape(1));
  soft->share = to_vector(share);
  for (double value : soft->share)
    require(value >= 0.0 && value <= 1.0, "shares must lie between 0 and 1");
  require(exponent > 0.0 && std::isfinite(exponent), "the exponent must be positive");
  soft->exponent = exponent;
  return soft;
}

// The output of `write` for all rows, one value per column of the result.
py::array_t<double> over_rows(const SoftPrediction& soft, const py::array& X, int n_threads,
                              std::int64_t n_numbers,
                              void (SoftPrediction::*write)(const Table&, std::int64_t,
                                                            std::int64_t, double*) const) {
  const Table table = table_of(X);
  for (std::int32_t feature : soft.columns.feature)
    require(feature >= 0 && feature < table.n_features, "a column reads a feature beyond X");
  py::array_t<double> numbers({table.n_rows, n_numbers});
  double* out = numbers.mutable_data();
  {
    const WithoutInterpreterLock no_lock;
    constexpr std::int64_t kChunk = 4096;
    const auto chunks = static_cast<int>((table.n_rows + kChunk - 1) / kChunk);
    Supervisor supervisor;
    ThreadPool pool(std::min(n_threads, std::max(1, chunks)), supervisor);
    pool.for_each(chunks, [&](int i) {
      const std::int64_t begin = i * kChunk;
      (soft.*write)(table, begin, std::min(table.n_rows, begin + kChunk), out + begin * n_numbers);
    });
  }
  return numbers;
}

py::array_t<double> predict_softly(const SoftPrediction& soft, const py::array& X, int n_threads) {
  return over_rows(soft, X, n_threads, soft.n_classes, &SoftPrediction::apply);
}

// The probability of every leaf, in node order.
py::array_t<double> reach(const SoftPrediction& soft, const py::array& X, int n_threads) {
  const auto n_leaves = static_cast<std::int64_t>((soft.threshold.size() + 1) / 2);
  return over_rows(soft, X, n_threads, n_leaves, &SoftPrediction::write_reach);
}

}  // namespace

void bind_refining(py::module_& module) {
  const auto per_node = [](const SoftTree& tree, const std::vector<double>& values) {
    return to_array(values, {static_cast<py::ssize_t>(tree.n_planes()),
                             static_cast<py::ssize_t>(tree.n_columns())});
  };
  py::class_<SoftTree>(module, "SoftTree")
      .def(py::init(&make_soft_tree), py::kw_only(), py::arg("Z"), py::arg("y"), py::arg("weight"),
           py::arg("leaf"), py::arg("children"), py::arg("fill"), py::arg("n_classes"),
           py::arg("linear_leaves") = false, py::arg("fill_with_zero"))
      .def_property_readonly("n_parameters", &SoftTree::n_parameters)
      .def_property_readonly(
          "mean", [per_node](const SoftTree& tree) { return per_node(tree, tree.mean()); })
      .def_property_readonly(
          "scale", [per_node](const SoftTree& tree) { return per_node(tree, tree.scale()); })
      .def_property_readonly(
          "fill", [per_node](const SoftTree& tree) { return per_node(tree, tree.fill()); })
      .def_property_readonly("node_weight",
                             [](const SoftTree& tree) { return to_array(tree.node_weight()); })
      .def(
          "mean_distance",
          [](const SoftTree& tree, const Array<double>& plane) {
            const std::size_t size = tree.n_gates() * (tree.n_columns() + 1);
            return to_array(tree.mean_distance(finite_vector(plane, size, "planes")));
          },
          py::arg("plane"))
      .def("evaluate", &evaluate, py::arg("parameters"), py::arg("l2"))
      .def("minimise", &minimise_soft_tree, py::arg("start"), py::kw_only(), py::arg("l2"),
           py::arg("l1"), py::arg("sign"), py::arg("fixed"), py::arg("max_iterations"),
           py::arg("tolerance"), py::arg("progress"));
  py::class_<SoftPrediction>(module, "SoftPrediction")
      .def(py::init(&make_prediction), py::kw_only(), py::arg("children"), py::arg("coef_start"),
           py::arg("coef_column"), py::arg("coef_value"), py::arg("coef_fill"),
           py::arg("threshold"), py::arg("steepness"), py::arg("share"), py::arg("column_feature"),
           py::arg("column_level"), py::arg("exponent"))
      .def("predict", &predict_softly, py::arg("X"), py::arg("n_threads"))
      .def("reach", &reach, py::arg("X"), py::arg("n_threads"));
  module.def("leaf_shares", &fitted_shares, py::arg("reach"), py::arg("y"), py::arg("weight"),
             py::arg("start"), py::arg("iterations"));
  module.def("minimise", &minimise_function, py::arg("function"), py::arg("start"), py::arg("l1"),
             py::arg("max_iterations"), py::arg("tolerance"), py::arg("sign") = std::vector<int>());
}

}  // namespace aslant
