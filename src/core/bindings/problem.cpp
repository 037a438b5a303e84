// Problems, nodes and splits.

#include <numeric>

#include "bindings/boundary.hpp"

namespace aslant {

py::object make_split(const Node& node, const Split& split) {
  const py::module_ base = py::module_::import("aslant.search.base");
  const py::ssize_t n_columns = node.n_columns();
  std::vector<double> fill(n_columns, 0.0);
  for (int column : split.columns) fill[column] = node.fill(column);
  std::vector<double> dense(split.n_vectors() * n_columns, 0.0);
  for (int v = 0; v < split.n_vectors(); ++v)
    for (std::size_t c = 0; c < split.columns.size(); ++c)
      dense[v * n_columns + split.columns[c]] = split.coefs[v * split.columns.size() + c];
  if (split.n_vectors() == 1)
    return base.attr("HyperplaneSplit")(to_array(dense), split.offsets[0], to_array(fill),
                                        split.score);
  return base.attr("LinearMachineSplit")(to_array(dense, {split.n_vectors(), n_columns}),
                                         to_array(split.offsets), to_array(fill), split.score);
}

namespace {

Split split_from_attributes(const Node& node, const py::handle& object) {
  const bool machine = py::hasattr(object, "weights") && py::hasattr(object, "bias");
  if (!machine && !(py::hasattr(object, "coef") && py::hasattr(object, "threshold")))
    throw py::type_error("a search must return a HyperplaneSplit, a LinearMachineSplit or None");
  const auto matrix = object.attr(machine ? "weights" : "coef").cast<Array<double>>();
  Split split;
  if (machine)
    split.offsets = to_vector(object.attr("bias").cast<Array<double>>());
  else
    split.offsets = {object.attr("threshold").cast<double>()};
  require(!machine || split.n_vectors() >= 2, "a linear machine needs at least two vectors");
  require(matrix.size() == static_cast<py::ssize_t>(split.n_vectors()) * node.n_columns() &&
              (machine ? matrix.ndim() == 2 : matrix.ndim() == 1),
          "a split needs one coefficient for each of the node's " +
              std::to_string(node.n_columns()) + " columns");
  for (int j = 0; j < node.n_columns(); ++j) {
    bool used = false;
    for (int v = 0; v < split.n_vectors(); ++v)
      used = used || matrix.data()[v * node.n_columns() + j] != 0.0;
    if (used) split.columns.push_back(j);
  }
  for (int v = 0; v < split.n_vectors(); ++v)
    for (int j : split.columns) split.coefs.push_back(matrix.data()[v * node.n_columns() + j]);
  require(split.finite(), "the coefficients and offsets of a split must be finite");
  split.score = node.score(node.children_of(split));
  return split;
}

}  // namespace

Split split_from_python(const Node& node, const py::handle& object) {
  try {
    return split_from_attributes(node, object);
  } catch (const py::cast_error&) {
    throw py::type_error("the coefficients and offsets of a split must be numbers");
  }
}

std::shared_ptr<Node> all_rows(const std::shared_ptr<Problem>& problem) {
  std::vector<std::uint32_t> rows(problem->table.n_rows);
  std::iota(rows.begin(), rows.end(), 0u);
  return node_of(problem, rows);
}

std::shared_ptr<Node> node_of(const std::shared_ptr<Problem>& problem,
                              const std::vector<std::uint32_t>& rows) {
  std::vector<double> class_weight(problem->n_classes, 0.0);
  for (std::uint32_t row : rows) class_weight[problem->label[row]] += problem->weight_of(row);
  return std::make_shared<Node>(problem, rows.data(), rows.size(), std::move(class_weight), true);
}

namespace {

std::shared_ptr<Problem> make_problem(const py::array& X, const py::object& y, int n_classes,
                                      const std::optional<Array<double>>& weight,
                                      const Array<std::int32_t>& column_feature,
                                      const Array<std::int32_t>& column_level,
                                      const std::string& criterion, std::int64_t min_rows,
                                      double min_weight, bool fill_with_training_mean) {
  auto problem = std::make_shared<Problem>();
  problem->table = table_of(X);
  require(problem->table.n_rows >= 1 && problem->table.n_features >= 1,
          "X needs at least one row and one feature");
  problem->columns = columns_of(column_feature, column_level);
  check_columns(problem->table, problem->columns);
  problem->n_classes = n_classes;
  problem->label = checked_labels(y, problem->table.n_rows, n_classes);
  problem->weight = checked_weights(weight, problem->table.n_rows);
  problem->criterion = class_criterion(criterion);
  problem->limits = checked_limits(min_rows, min_weight);
  problem->fill_with_training_mean = fill_with_training_mean;
  problem->survey();
  return problem;
}

// The columns as an (n_rows, n_columns) matrix that keeps the node alive and cannot be written.
py::array node_columns(const std::shared_ptr<Node>& node) {
  const auto n = static_cast<py::ssize_t>(node->n_rows());
  py::array_t<double> view(
      {n, static_cast<py::ssize_t>(node->n_columns())},
      {static_cast<py::ssize_t>(sizeof(double)), n * static_cast<py::ssize_t>(sizeof(double))},
      node->column(0), py::cast(node));
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

py::object best_along(const Node& node, const Array<double>& directions) {
  require(directions.ndim() >= 1 && directions.ndim() <= 2 &&
              directions.shape(directions.ndim() - 1) == node.n_columns(),
          "directions must have one coefficient for each of the node's columns");
  const std::vector<double> all = to_vector(directions);
  for (double value : all) require(std::isfinite(value), "directions must be finite");
  const auto width = static_cast<std::size_t>(node.n_columns());
  std::optional<Split> best;
  for (std::size_t begin = 0; begin + width <= all.size(); begin += width) {
    Split split;
    const std::vector<double> coef(all.begin() + begin, all.begin() + begin + width);
    if (node.best_along(coef, split) && (!best || split.score > best->score)) best = split;
  }
  if (!best || best->columns.empty()) return py::none();
  return make_split(node, *best);
}

void bind_node(py::module_& module) {
  py::class_<Node, std::shared_ptr<Node>>(module, "Node")
      .def(py::init(&all_rows), py::keep_alive<1, 2>())
      .def_property_readonly("X", &node_columns)
      .def_property_readonly("y", [](const Node& node) { return to_array(node.label()); })
      .def_property_readonly("weight",
                             [](const Node& node) {
                               std::vector<double> ones(node.n_rows(), 1.0);
                               return to_array(node.weight().empty() ? ones : node.weight());
                             })
      .def_property_readonly("class_weight",
                             [](const Node& node) { return to_array(node.class_weight()); })
      .def_property_readonly("n_classes", &Node::n_classes)
      .def_property_readonly("min_rows", [](const Node& node) { return node.limits().rows; })
      .def_property_readonly("groups",
                             [](const Node& node) {
                               std::vector<std::pair<int, int>> groups;
                               for (const CategoryGroup& group : node.groups())
                                 groups.emplace_back(group.first_column, group.n_levels);
                               return groups;
                             })
      .def("best_along", &best_along, py::arg("directions"))
      .def("score", [](const Node& node, const py::object& split) {
        return split_from_python(node, split).score;
      });
}

}  // namespace

void bind_problem(py::module_& module) {
  py::class_<Problem, std::shared_ptr<Problem>>(module, "Problem")
      .def(py::init(&make_problem), py::arg("X"), py::arg("y"), py::arg("n_classes"),
           py::arg("weight"), py::arg("column_feature"), py::arg("column_level"),
           py::arg("criterion"), py::arg("min_rows"), py::arg("min_weight"),
           py::arg("fill_with_training_mean"), py::keep_alive<1, 2>());
  bind_node(module);
}

}  // namespace aslant
