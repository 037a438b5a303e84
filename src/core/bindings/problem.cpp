// Data, problems, nodes and splits.

#include "bindings/boundary.hpp"
#include "bindings/outside_world.hpp"
#include "node/partition.hpp"
#include "search/search.hpp"

namespace aslant {

py::object make_split(const Node& node, const Split& split) {
  const py::module_ base = py::module_::import("aslant.search.base");
  const py::ssize_t n_columns = node.n_columns();
  std::vector<double> fill(n_columns, 0.0);
  for (int column : split.columns) fill[column] = node.fill(column);
  std::vector<double> dense(split.n_vectors() * n_columns, 0.0);
  for (int v = 0; v < split.n_vectors(); ++v)
    for (std::int64_t e = split.start[v]; e < split.start[v + 1]; ++e)
      dense[v * n_columns + split.columns[e]] = split.coefs[e];
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
  const std::vector<double> offsets =
      machine ? to_vector(object.attr("bias").cast<Array<double>>())
              : std::vector<double>{object.attr("threshold").cast<double>()};
  require(!machine || offsets.size() >= 2, "a linear machine needs at least two vectors");
  require(matrix.size() == static_cast<py::ssize_t>(offsets.size()) * node.n_columns() &&
              (machine ? matrix.ndim() == 2 : matrix.ndim() == 1),
          "a split needs one coefficient for each of the node's " +
              std::to_string(node.n_columns()) + " columns");
  Split split;
  const double* coef = matrix.data();
  for (double offset : offsets) {
    for (int j = 0; j < node.n_columns(); ++j) split.add(j, *coef++);
    split.end_vector(offset);
  }
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

template <class T>
std::vector<T> listed(const py::dict& values, const char* name, std::size_t n) {
  const auto array = values[name].cast<Array<T>>();
  require(static_cast<std::size_t>(array.size()) == n || array.size() == 0,
          std::string(name) + " has a wrong length");
  return to_vector(array);
}

GlobalSurvey global_survey(const py::dict& known, std::size_t features, std::size_t columns) {
  GlobalSurvey global;
  require(py::len(known["has_missing"]) == features && py::len(known["has_extreme"]) == features &&
              py::len(known["exponent"]) == features,
          "there must be a flag for each feature");
  for (auto flag : listed<std::uint8_t>(known, "has_missing", features))
    global.has_missing.push_back(flag != 0);
  for (auto flag : listed<std::uint8_t>(known, "has_extreme", features))
    global.has_extreme.push_back(flag != 0);
  global.exponent = listed<int>(known, "exponent", features);
  global.training_mean = listed<double>(known, "training_mean", columns);
  global.spread.deviation = listed<double>(known, "deviation", columns);
  global.spread.distinct_rows = known["distinct_rows"].cast<std::size_t>();
  return global;
}

std::shared_ptr<Features> make_features(const py::object& X,
                                        const Array<std::int32_t>& column_feature,
                                        const Array<std::int32_t>& column_level,
                                        const std::optional<py::dict>& known,
                                        const std::optional<Array<std::int64_t>>& number) {
  Table table = table_of(X);
  require(table.n_rows >= 1 && table.n_features >= 1, "X needs at least one row and one feature");
  Columns columns = columns_of(column_feature, column_level);
  columns.check(table.n_features);
  std::optional<GlobalSurvey> global;
  if (known) global = global_survey(*known, table.n_features, columns.size());
  std::vector<std::int64_t> numbers;
  if (number) {
    require(number->size() == table.n_rows, "number must hold one number for each row");
    numbers = to_vector(*number);
  }
  const WithoutInterpreterLock no_lock;
  return std::make_shared<Features>(std::move(table), std::move(columns), std::move(global),
                                    std::move(numbers));
}

GlobalWeights global_weights(const py::dict& known, int n_classes) {
  GlobalWeights global;
  global.weighted = known["weighted"].cast<bool>();
  global.countable = known["countable"].cast<bool>();
  global.unit = to_vector(known["unit"].cast<Array<double>>());
  require(global.unit.empty() || static_cast<int>(global.unit.size()) == n_classes,
          "unit must hold one weight for each class");
  for (double unit : global.unit) require(unit > 0.0, "units must be positive");
  global.cases = known["cases"].cast<double>();
  return global;
}

// `n_classes` 0: y holds regression targets.
std::shared_ptr<Target> make_target(const py::object& y, int n_classes,
                                    const std::optional<Array<double>>& weight,
                                    const std::optional<py::dict>& known) {
  require(n_classes >= 0, "n_classes must not be negative");
  std::optional<GlobalWeights> global;
  if (known) global = global_weights(*known, n_classes);
  const auto n_rows = static_cast<std::int64_t>(py::len(y));
  std::vector<double> weights = checked_weights(weight, n_rows, global && global->weighted);
  if (n_classes == 0) {
    Regression targets = checked_targets(y, n_rows);
    return std::make_shared<RegressionTarget>(std::move(targets.values), targets.n_outputs,
                                              std::move(weights), global.value_or(GlobalWeights{}));
  }
  std::vector<std::int32_t> labels = checked_labels(y, n_rows, n_classes);
  const WithoutInterpreterLock no_lock;
  if (global)
    return std::make_shared<ClassTarget>(std::move(labels), n_classes, std::move(weights), *global);
  return std::make_shared<ClassTarget>(std::move(labels), n_classes, std::move(weights));
}

// A Python function that scores the class weights of two children, given as arrays. The core runs
// without the GIL, so every call acquires it.
class PythonCriterion : public CustomCriterion {
 public:
  explicit PythonCriterion(py::object function) : function_(std::move(function)) {}
  PythonCriterion(const PythonCriterion&) = delete;
  PythonCriterion& operator=(const PythonCriterion&) = delete;
  ~PythonCriterion() override {
    const InterpreterLock lock;
    function_ = py::object();
  }

  double score(const double* child0, const double* total, int n_classes) const override {
    const InterpreterLock lock;
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
  require(target.classes() != nullptr,
          "a criterion of your own does not apply to regression targets");
  auto custom = std::make_shared<PythonCriterion>(criterion);
  return {CriterionKind(*custom), limits, fill_with_training_mean, custom};
}

// Validates that the criterion can work with the regression targets.
void check_targets(const Target& target, CriterionKind kind) {
  with_regression_type(kind, [&](auto type) {
    using Criterion = typename decltype(type)::type;
    const std::string name = Criterion::kName;
    if (Criterion::kOneOutput)
      require(target.regression()->n_outputs() == 1, name + " needs one target per row");
    if (!Criterion::kNonNegativeTargets) return;
    for (double value : target.regression()->all_values())
      require(value >= 0.0, name + " needs y >= 0");
  });
}

std::shared_ptr<Problem> make_problem(const std::shared_ptr<Features>& features,
                                      const std::shared_ptr<Target>& target,
                                      const std::optional<Array<std::int64_t>>& rows,
                                      const py::object& criterion, std::int64_t min_rows,
                                      double min_weight, bool fill_with_training_mean) {
  const Rules rules =
      rules_of(*target, criterion, checked_limits(min_rows, min_weight), fill_with_training_mean);
  const std::int64_t n_rows = target->n_rows();
  require(n_rows == features->table().n_rows, "there must be a target for each row of X");
  check_targets(*target, rules.criterion);
  auto problem =
      rows ? std::make_shared<Problem>(features, target, checked_rows(*rows, n_rows), rules)
           : std::make_shared<Problem>(features, target, rules);
  for (std::uint32_t row : problem->rows())
    require(target->weight_of(row) > 0.0, "rows to grow on must have a positive weight");
  return problem;
}

// The columns as a read-only (n_rows, n_columns) matrix.
py::array node_columns(const Node& node) {
  const Workspace workspace;
  const std::size_t n = node.n_rows();
  std::vector<double> values;
  values.reserve(n * node.n_columns());
  for (int j = 0; j < node.n_columns(); ++j)
    values.insert(values.end(), node.column(j), node.column(j) + n);
  const auto rows = static_cast<py::ssize_t>(n),
             columns = static_cast<py::ssize_t>(node.n_columns());
  return moved_to_array(std::move(values), {columns, rows}).attr("T");
}

// Regression targets, one column per output if there are several.
py::object numbers_of(const Node& node) {
  const NodeTarget& target = node.target();
  std::vector<double> numbers;
  for (std::size_t i = 0; i < node.n_rows(); ++i)
    for (int q = 0; q < target.n_outputs(); ++q) numbers.push_back(target.value(i, q));
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
  {
    const WithoutInterpreterLock no_lock;
    for (std::size_t begin = 0; begin + width <= all.size(); begin += width)
      keep_better(best, node.best_along({all.begin() + begin, all.begin() + begin + width}));
  }
  if (!best || best->columns.empty()) return py::none();
  return make_split(node, *best);
}

void bind_node(py::module_& module) {
  py::class_<Node, std::shared_ptr<Node>>(module, "Node")
      .def(py::init(&whole_node), Computes())
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
      .def("best_along", &best_along, py::arg("directions"), Computes())
      .def(
          "score",
          [](const Node& node, const py::object& split) {
            return split_from_python(node, split).score;
          },
          Computes());
}

}  // namespace

void bind_problem(py::module_& module) {
  py::class_<Features, std::shared_ptr<Features>>(module, "Features")
      .def(py::init(&make_features), py::arg("X"), py::arg("column_feature"),
           py::arg("column_level"), py::arg("known") = py::none(), py::arg("number") = py::none(),
           Computes());
  py::class_<Target, std::shared_ptr<Target>>(module, "Target")
      .def(py::init(&make_target), py::arg("y"), py::arg("n_classes"),
           py::arg("weight") = py::none(), py::arg("known") = py::none(), Computes());
  py::class_<Problem, std::shared_ptr<Problem>>(module, "Problem")
      .def(py::init(&make_problem), py::arg("features"), py::arg("target"), py::arg("rows"),
           py::arg("criterion"), py::arg("min_rows"), py::arg("min_weight"),
           py::arg("fill_with_training_mean"), Computes());
  bind_node(module);
}

}  // namespace aslant
