// Data, problems, nodes and splits.

#include "bindings/boundary.hpp"
#include "bindings/outside_world.hpp"
#include "partition.hpp"
#include "search.hpp"

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
  split.score = score_of(node, children_of(node, split));
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

std::shared_ptr<Node> whole_node(const std::shared_ptr<Problem>& problem) {
  return node_of(problem, problem->rows());
}

std::shared_ptr<Node> node_of(const std::shared_ptr<Problem>& problem,
                              const std::vector<std::uint32_t>& rows) {
  return std::make_shared<Node>(problem, rows.data(), rows.size(),
                                problem->statistics(rows.data(), rows.size()));
}

namespace {

// Numbers to predict: one a row, or several.
void set_numbers(Target& target, const py::object& y, std::int64_t n_rows) {
  const auto numbers = y.cast<Array<double>>();
  require((numbers.ndim() == 1 || numbers.ndim() == 2) && numbers.shape(0) == n_rows &&
              (numbers.ndim() == 1 || numbers.shape(1) >= 1),
          "y must hold one number, or several, for each row");
  target.n_outputs = numbers.ndim() == 1 ? 1 : static_cast<int>(numbers.shape(1));
  target.number = to_vector(numbers);
  for (double value : target.number)
    if (!std::isfinite(value)) throw std::invalid_argument("y must be finite");
}

template <class T>
std::vector<T> listed(const py::dict& values, const char* name, std::size_t n) {
  const auto array = values[name].cast<Array<T>>();
  require(static_cast<std::size_t>(array.size()) == n || array.size() == 0,
          std::string(name) + " has a wrong length");
  return to_vector(array);
}

Whole whole_of(const py::dict& known, const Data& data) {
  const auto features = static_cast<std::size_t>(data.table.n_features);
  const auto columns = static_cast<std::size_t>(data.columns.size());
  Whole whole;
  require(py::len(known["has_missing"]) == features && py::len(known["has_extreme"]) == features &&
              py::len(known["exponent"]) == features,
          "there must be a flag for each feature");
  for (auto flag : listed<std::uint8_t>(known, "has_missing", features))
    whole.has_missing.push_back(flag != 0);
  for (auto flag : listed<std::uint8_t>(known, "has_extreme", features))
    whole.has_extreme.push_back(flag != 0);
  whole.exponent = listed<int>(known, "exponent", features);
  whole.weighted = known["weighted"].cast<bool>();
  whole.countable = known["countable"].cast<bool>();
  whole.unit = to_vector(known["unit"].cast<Array<double>>());
  require(whole.unit.empty() || static_cast<int>(whole.unit.size()) == data.target.n_classes,
          "unit must hold one weight for each class");
  for (double unit : whole.unit) require(unit > 0.0, "units must be positive");
  whole.training_mean = listed<double>(known, "training_mean", columns);
  whole.spread.deviation = listed<double>(known, "deviation", columns);
  whole.spread.distinct_rows = known["distinct_rows"].cast<std::size_t>();
  whole.cases = known["cases"].cast<double>();
  return whole;
}

// `n_classes` 0: y holds numbers.
std::shared_ptr<Data> make_data(const py::array& X, const py::object& y, int n_classes,
                                const std::optional<Array<double>>& weight,
                                const Array<std::int32_t>& column_feature,
                                const Array<std::int32_t>& column_level,
                                const std::optional<py::dict>& whole,
                                const std::optional<Array<std::int64_t>>& number) {
  auto data = std::make_shared<Data>();
  data->table = table_of(X);
  require(data->table.n_rows >= 1 && data->table.n_features >= 1,
          "X needs at least one row and one feature");
  data->columns = columns_of(column_feature, column_level);
  data->columns.check(data->table.n_features);
  Target& target = data->target;
  if (n_classes == 0) {
    set_numbers(target, y, data->table.n_rows);
  } else {
    target.n_classes = n_classes;
    target.label = checked_labels(y, data->table.n_rows, n_classes);
  }
  if (whole) data->whole = whole_of(*whole, *data);
  const bool weighted = whole && data->whole->weighted;
  target.weight = checked_weights(weight, data->table.n_rows, weighted);
  if (number) {
    require(number->size() == data->table.n_rows, "number must hold one number for each row");
    data->number = to_vector(*number);
  }
  const WithoutInterpreterLock no_lock;
  if (whole)
    target.set_units(data->whole->countable, data->whole->unit);
  else
    target.find_units();
  data->survey();
  return data;
}

// A function of Python's: what the class weights of two children, as arrays, are worth. The core
// works without Python's lock, which every call takes.
class PythonCriterion : public OwnCriterion {
 public:
  explicit PythonCriterion(py::object function) : function_(std::move(function)) {}
  PythonCriterion(const PythonCriterion&) = delete;
  PythonCriterion& operator=(const PythonCriterion&) = delete;
  ~PythonCriterion() override {
    const py::gil_scoped_acquire gil;
    function_ = py::object();
  }

  double score(const double* child0, const double* total, int n_classes) const override {
    const py::gil_scoped_acquire gil;
    std::vector<double> in0(child0, child0 + n_classes), in1(in0.size());
    for (std::size_t k = 0; k < in1.size(); ++k) in1[k] = total[k] - in0[k];
    const double value = number_from(function_(to_array(in0), to_array(in1)));
    if (std::isnan(value)) throw py::value_error("the criterion must return a number, got nan");
    return value;
  }

 private:
  static double number_from(const py::object& value) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (number == -1.0 && PyErr_Occurred()) {
      PyErr_Clear();
      throw py::type_error("the criterion must return a number, got " +
                           py::str(py::type::of(value).attr("__name__")).cast<std::string>());
    }
    return number;
  }

  py::object function_;
};

// The name of a criterion, or a function.
Rules rules_of(const Target& target, const py::object& criterion, const ChildLimits& limits,
               bool fill_with_training_mean) {
  if (py::isinstance<py::str>(criterion))
    return {criterion_for(target, criterion.cast<std::string>()), limits, fill_with_training_mean};
  require(target.has_classes(), "a criterion of your own does not apply to numbers");
  auto own = std::make_shared<PythonCriterion>(criterion);
  return {CriterionKind(*own), limits, fill_with_training_mean, own};
}

std::shared_ptr<Problem> make_problem(const std::shared_ptr<Data>& data,
                                      const std::optional<Array<std::int64_t>>& rows,
                                      const py::object& criterion, std::int64_t min_rows,
                                      double min_weight, bool fill_with_training_mean) {
  const Rules rules = rules_of(data->target, criterion, checked_limits(min_rows, min_weight),
                               fill_with_training_mean);
  if (rules.criterion == CriterionKind::poisson) {
    require(data->target.n_outputs == 1, "poisson needs one number a row");
    for (double value : data->target.number) require(value >= 0.0, "poisson needs y >= 0");
  }
  auto problem =
      rows ? std::make_shared<Problem>(data, checked_rows(*rows, data->table.n_rows), rules)
           : std::make_shared<Problem>(data, rules);
  for (std::uint32_t row : problem->rows())
    require(data->target.weight_of(row) > 0.0, "rows to grow on must have a positive weight");
  return problem;
}

// The columns as an (n_rows, n_columns) matrix that cannot be written.
py::array node_columns(const Node& node) {
  const std::size_t n = node.n_rows();
  std::vector<double> values;
  values.reserve(n * node.n_columns());
  for (int j = 0; j < node.n_columns(); ++j)
    values.insert(values.end(), node.column(j), node.column(j) + n);
  const auto rows = static_cast<py::ssize_t>(n),
             columns = static_cast<py::ssize_t>(node.n_columns());
  return moved_to_array(std::move(values), {columns, rows}).attr("T");
}

// Numbers to predict, a column for each output if there are several.
py::object numbers_of(const Node& node) {
  const NodeTarget& target = node.target();
  std::vector<double> numbers;
  for (std::size_t i = 0; i < node.n_rows(); ++i)
    for (int q = 0; q < target.n_outputs(); ++q) numbers.push_back(target.number(i, q));
  if (target.n_outputs() == 1) return to_array(numbers);
  return to_array(numbers, {static_cast<py::ssize_t>(node.n_rows()), target.n_outputs()});
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
    keep_better(best, node.best_along({all.begin() + begin, all.begin() + begin + width}));
  }
  if (!best || best->columns.empty()) return py::none();
  return make_split(node, *best);
}

void bind_node(py::module_& module) {
  py::class_<Node, std::shared_ptr<Node>>(module, "Node")
      .def(py::init(&whole_node), py::keep_alive<1, 2>())
      .def_property_readonly("X", &node_columns)
      .def_property_readonly("y",
                             [](const Node& node) -> py::object {
                               if (node.target().has_classes())
                                 return to_array(node.target().label());
                               return numbers_of(node);
                             })
      .def_property_readonly(
          "weight",
          [](const Node& node) {
            std::vector<double> ones(node.n_rows(), 1.0);
            return to_array(node.target().weight().empty() ? ones : node.target().weight());
          })
      .def_property_readonly(
          "class_weight", [](const Node& node) { return to_array(node.target().class_weight()); })
      .def_property_readonly("n_classes",
                             [](const Node& node) { return node.target().n_classes(); })
      .def_property_readonly("min_rows", [](const Node& node) { return node.limits().rows; })
      .def_property_readonly("groups",
                             [](const Node& node) {
                               std::vector<std::pair<int, int>> groups;
                               for (const CategoryGroup& group : node.columns().groups())
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
  py::class_<Data, std::shared_ptr<Data>>(module, "Data")
      .def(py::init(&make_data), py::arg("X"), py::arg("y"), py::arg("n_classes"),
           py::arg("weight"), py::arg("column_feature"), py::arg("column_level"),
           py::arg("whole") = py::none(), py::arg("number") = py::none(), py::keep_alive<1, 2>());
  py::class_<Problem, std::shared_ptr<Problem>>(module, "Problem")
      .def(py::init(&make_problem), py::arg("data"), py::arg("rows"), py::arg("criterion"),
           py::arg("min_rows"), py::arg("min_weight"), py::arg("fill_with_training_mean"),
           py::keep_alive<1, 2>());
  bind_node(module);
}

}  // namespace aslant
