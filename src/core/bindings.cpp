// The only file that knows Python. Shapes, types and ranges are settled here, so that nothing
// behind it indexes from unchecked input.

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include "grow.hpp"
#include "lapack.hpp"
#include "search/axis_parallel.hpp"
#include "search/best_of.hpp"
#include "search/c45.hpp"
#include "search/cart_lc.hpp"
#include "search/oc1.hpp"
#include "search/sadt.hpp"
#include "search/standardize.hpp"

namespace py = pybind11;

namespace aslant {
namespace {

template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

// The message is not built unless it is needed: some conditions are checked for every value.
template <class Message>
inline void require(bool condition, const Message& message) {
  if (!condition) throw std::invalid_argument(message);
}

template <class T>
std::vector<T> to_vector(const Array<T>& array) {
  return {array.data(), array.data() + array.size()};
}

template <class T>
py::array_t<T> to_array(const std::vector<T>& values, std::vector<py::ssize_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<py::ssize_t>(values.size())};
  return py::array_t<T>(shape, values.data());
}

std::vector<double> finite_vector(const Array<double>& array, std::size_t n, const char* name) {
  require(array.ndim() == 1 && static_cast<std::size_t>(array.size()) == n,
          std::string(name) + " must be a vector of " + std::to_string(n) + " values");
  std::vector<double> values = to_vector(array);
  for (double value : values)
    if (!std::isfinite(value)) throw std::invalid_argument(std::string(name) + " must be finite");
  return values;
}

Table table_of(const py::array& X) {
  require(X.ndim() == 2, "X must be a matrix");
  Table table;
  table.single_precision = py::isinstance<py::array_t<float>>(X);
  require(table.single_precision || py::isinstance<py::array_t<double>>(X),
          "X must hold float32 or float64 values");
  table.data = static_cast<const char*>(X.data());
  table.n_rows = X.shape(0);
  table.n_features = static_cast<int>(X.shape(1));
  table.row_stride = X.strides(0);
  table.feature_stride = X.strides(1);
  require(table.n_rows < (std::int64_t{1} << 31) && X.shape(1) < (1 << 30),
          "X has more rows or features than can be numbered");
  return table;
}

Columns columns_of(const Array<std::int32_t>& feature, const Array<std::int32_t>& level) {
  return {to_vector(feature), to_vector(level)};
}

// Indicator columns stand together, levels 0, 1, ..., and every code in X is one of them.
void check_columns(const Table& table, const Columns& columns) {
  require(columns.feature.size() == columns.level.size(),
          "columns need a feature and a level each");
  std::vector<int> levels(table.n_features, 0);
  for (int j = 0; j < columns.size(); ++j) {
    const int feature = columns.feature[j];
    require(feature >= 0 && feature < table.n_features,
            "a column reads a feature that is not in X");
    require(columns.level[j] < 0 || columns.level[j] == levels[feature],
            "the levels of a categorical feature must be numbered from 0 and stand together");
    require(columns.level[j] <= 0 || columns.feature[j - 1] == feature,
            "the levels of a categorical feature must stand together");
    if (columns.level[j] >= 0) ++levels[feature];
  }
  if (!columns.any_levels()) {
    require(columns.size() == table.n_features, "numeric features need one column each");
    for (int j = 0; j < columns.size(); ++j)
      require(columns.feature[j] == j, "numeric columns must stand in the order of the features");
  }
  for (int f = 0; f < table.n_features; ++f) {
    for (std::int64_t row = 0; row < table.n_rows; ++row) {
      const double x = table.at(row, f);
      if (levels[f] == 0)
        require(!std::isinf(x), "X must not hold infinite values");
      else
        require(std::isnan(x) || (x >= 0 && x < levels[f] && x == std::floor(x)),
                "a categorical feature holds a value that is not one of its level codes");
    }
  }
}

std::vector<std::int32_t> checked_labels(const py::object& y, std::int64_t n_rows, int n_classes) {
  const auto given = py::cast<py::array>(y);
  require(given.dtype().kind() == 'i' || given.dtype().kind() == 'u',
          "y must hold class codes, which are integers");
  const auto codes = given.cast<Array<std::int64_t>>();
  require(codes.ndim() == 1 && codes.size() == n_rows, "y must hold one class code per row");
  require(n_classes >= 1, "there must be at least one class");
  for (py::ssize_t i = 0; i < codes.size(); ++i)
    require(codes.data()[i] >= 0 && codes.data()[i] < n_classes,
            "a class code is outside 0..n_classes-1");
  return {codes.data(), codes.data() + codes.size()};
}

ChildLimits checked_limits(std::int64_t min_rows, double min_weight) {
  require(min_weight >= 0.0 && std::isfinite(min_weight), "min_weight must not be negative");
  return {std::max<std::int64_t>(1, min_rows), min_weight};
}

std::vector<double> checked_weights(const std::optional<Array<double>>& weight,
                                    std::int64_t n_rows) {
  if (!weight) return {};
  std::vector<double> weights =
      finite_vector(*weight, static_cast<std::size_t>(n_rows), "sample weights");
  bool all_one = true;
  for (double w : weights) {
    require(w > 0.0, "sample weights must be positive");
    all_one = all_one && w == 1.0;
  }
  if (all_one) weights.clear();
  return weights;
}

CriterionKind class_criterion(const std::string& name) {
  const CriterionKind kind = criterion_from_name(name);
  require(kind != CriterionKind::squared_error, "squared_error does not apply to classes");
  return kind;
}

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

// ---------------------------------------------------------------------------------- splits

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

// Class weights of each child of a split, rows counted too.
double score_of(const Node& node, const Split& split) {
  const std::size_t width = split.columns.size();
  std::vector<std::vector<double>> children(split.n_children(),
                                            std::vector<double>(node.n_classes(), 0.0));
  for (std::size_t i = 0; i < node.n_rows(); ++i) {
    int child = 0;
    double highest = 0.0;
    for (int v = 0; v < split.n_vectors(); ++v) {
      double sum = 0.0;
      for (std::size_t c = 0; c < width; ++c)
        sum += split.coefs[v * width + c] * node.column(split.columns[c])[i];
      if (split.n_vectors() == 1) {
        child = sum <= split.offsets[0] ? 0 : 1;
      } else if (v == 0 || sum + split.offsets[v] > highest) {
        highest = sum + split.offsets[v];
        child = v;
      }
    }
    children[child][node.label()[i]] += node.weight_of(i);
  }
  double empty = 0.0;
  for (const auto& child : children)
    if (std::accumulate(child.begin(), child.end(), 0.0) == 0.0) empty += 1.0;
  if (empty + 1.0 >= static_cast<double>(children.size())) return 0.0;  // all rows in one child
  if (split.n_vectors() == 1)
    return partition_score(node.criterion(), children[0].data(), node.class_weight().data(),
                           node.n_classes());
  return multiway_score(node.criterion(), children, node.class_weight());
}

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
  split.score = score_of(node, split);
  return split;
}

Split split_from_python(const Node& node, const py::handle& object) {
  try {
    return split_from_attributes(node, object);
  } catch (const py::cast_error&) {
    throw py::type_error("the coefficients and offsets of a split must be numbers");
  }
}

// A search written in Python, called back through the same interface.
class PythonSearch : public Search {
 public:
  explicit PythonSearch(py::object search) : search_(std::move(search)) {}
  ~PythonSearch() override {
    const py::gil_scoped_acquire gil;
    search_ = py::object();
  }
  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override {
    const py::gil_scoped_acquire gil;
    const py::object rng = py::module_::import("numpy.random").attr("default_rng")(context.key);
    const py::object found =
        search_.attr("find")(py::cast(std::const_pointer_cast<Node>(node)), rng);
    context.hyperplanes += 1;
    if (found.is_none()) return std::nullopt;
    return split_from_python(*node, found);
  }

 private:
  py::object search_;
};

// ---------------------------------------------------------------------------------- growing

// Once the interpreter shuts down, Python ends every thread that asks for its lock, in the middle
// of whatever it does. A fit that is still running then waits for the end of the process instead.
void wait_if_shutting_down() {
#if PY_VERSION_HEX >= 0x030D0000
  while (Py_IsFinalizing()) std::this_thread::sleep_for(std::chrono::seconds(1));
#else
  while (_Py_IsFinalizing()) std::this_thread::sleep_for(std::chrono::seconds(1));
#endif
}

// Looks for Ctrl-C and reports progress, at most twenty times a second.
std::function<void(std::int64_t)> outside_world(py::object progress) {
  using Clock = std::chrono::steady_clock;
  return [progress = std::move(progress), last = Clock::now()](std::int64_t rows) mutable {
    if (Clock::now() - last < std::chrono::milliseconds(50)) return;
    wait_if_shutting_down();
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress.is_none()) progress(rows);
    last = Clock::now();
  };
}

py::dict tree_arrays(const Tree& tree) {
  py::dict arrays;
  arrays["children"] = to_array(tree.children, {tree.n_nodes(), tree.max_children});
  arrays["row_start"] = to_array(tree.row_start);
  arrays["coef_start"] = to_array(tree.coef_start);
  arrays["coef_column"] = to_array(tree.coef_column);
  arrays["coef_value"] = to_array(tree.coef_value);
  arrays["coef_fill"] = to_array(tree.coef_fill);
  arrays["offset"] = to_array(tree.offset);
  arrays["column_feature"] = to_array(tree.columns.feature);
  arrays["column_level"] = to_array(tree.columns.level);
  return arrays;
}

py::tuple grow_tree(const std::shared_ptr<Problem>& problem, const Search& search,
                    std::uint64_t seed, int n_threads, std::int64_t max_depth,
                    std::int64_t min_samples_split, double min_impurity_decrease,
                    std::int64_t max_leaf_nodes, const py::object& progress) {
  StoppingRules rules;
  if (max_depth >= 0 && max_depth < rules.max_depth) rules.max_depth = static_cast<int>(max_depth);
  rules.min_samples_split = min_samples_split;
  rules.min_impurity_decrease = min_impurity_decrease;
  rules.max_leaf_nodes = max_leaf_nodes;
  auto look_outside = outside_world(progress);
  Growth growth;
  {
    const py::gil_scoped_release no_gil;
    growth = grow(problem, search, rules, seed, n_threads, std::ref(look_outside));
  }
  py::dict arrays = tree_arrays(growth.tree);
  arrays["value"] = to_array(growth.value, {growth.tree.n_nodes(), problem->n_classes});
  arrays["n_node_samples"] = to_array(growth.n_node_samples);
  arrays["impurity"] = to_array(growth.impurity);
  arrays["n_features"] = problem->table.n_features;
  return py::make_tuple(arrays, growth.hyperplanes);
}

py::object find_split(const Search& search, const std::shared_ptr<Node>& node, std::uint64_t seed) {
  Supervisor supervisor;
  ThreadPool pool(1, supervisor);
  std::atomic<std::int64_t> hyperplanes{0};
  const SearchContext context{scramble(seed), pool, supervisor, hyperplanes};
  std::optional<Split> split;
  {
    const py::gil_scoped_release no_gil;
    split = search.find(node, context);
  }
  if (!split || split->columns.empty()) return py::none();
  return make_split(*node, *split);
}

// ---------------------------------------------------------------------------------- trees

std::shared_ptr<Tree> make_tree(
    int n_features, const Array<std::int32_t>& children, const Array<std::int32_t>& row_start,
    const Array<std::int64_t>& coef_start, const Array<std::int32_t>& coef_column,
    const Array<double>& coef_value, const Array<double>& coef_fill, const Array<double>& offset,
    const Array<std::int32_t>& column_feature, const Array<std::int32_t>& column_level) {
  require(children.ndim() == 2, "not a valid tree: children must be a matrix");
  auto tree = std::make_shared<Tree>();
  tree->n_features = n_features;
  tree->max_children = static_cast<int>(children.shape(1));
  tree->children = to_vector(children);
  tree->row_start = to_vector(row_start);
  tree->coef_start = to_vector(coef_start);
  tree->coef_column = to_vector(coef_column);
  tree->coef_value = to_vector(coef_value);
  tree->coef_fill = to_vector(coef_fill);
  tree->offset = to_vector(offset);
  tree->columns = columns_of(column_feature, column_level);
  tree->prepare();
  return tree;
}

py::array_t<std::int32_t> apply_tree(const Tree& tree, const py::array& X, int start,
                                     int n_threads) {
  const Table table = table_of(X);
  require(table.n_features == tree.n_features, "X has another number of features than the tree");
  require(start >= 0 && start < tree.n_nodes(), "there is no such node to start from");
  py::array_t<std::int32_t> leaves(table.n_rows);
  std::int32_t* out = leaves.mutable_data();
  {
    const py::gil_scoped_release no_gil;
    constexpr std::int64_t kChunk = 16384;
    const auto chunks = static_cast<int>((table.n_rows + kChunk - 1) / kChunk);
    Supervisor supervisor;
    ThreadPool pool(std::min(n_threads, std::max(1, chunks)), supervisor);
    pool.for_each(chunks, [&](int i) {
      const std::int64_t begin = i * kChunk;
      tree.apply(table, begin, std::min(table.n_rows, begin + kChunk), start, out + begin);
    });
  }
  return leaves;
}

// ---------------------------------------------------------------------------------- kernels

py::object line_search_result(const std::optional<LineOptimum>& best) {
  if (!best) return py::none();
  return py::make_tuple(best->alpha, best->score);
}

// Labels of a sweep: classes, or numbers for squared_error.
struct SweepRows {
  SweepRows(const py::object& y, int n_classes, const std::string& criterion,
            const std::optional<Array<double>>& weight, std::size_t n)
      : kind(criterion_from_name(criterion)) {
    require(n > 0 && n < (std::size_t{1} << 31), "there must be between 1 and 2^31 - 1 rows");
    weights = checked_weights(weight, static_cast<std::int64_t>(n));
    if (kind == CriterionKind::squared_error) {
      targets = finite_vector(y.cast<Array<double>>(), n, "y");
      centre_targets();
      labels.assign(n, 0);
      n_classes = 1;
    } else {
      labels = checked_labels(y, static_cast<std::int64_t>(n), n_classes);
    }
    class_weight.assign(n_classes, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      class_weight[labels[i]] += weights.empty() ? 1.0 : weights[i];
    rows = {n,
            labels.data(),
            weights.empty() ? nullptr : weights.data(),
            class_weight.data(),
            n_classes,
            targets.empty() ? nullptr : targets.data()};
  }
  // Sums of squares of large targets would lose what differs between them.
  void centre_targets() {
    RunningMean all;
    for (std::size_t i = 0; i < targets.size(); ++i)
      all.add(targets[i], weights.empty() ? 1.0 : weights[i]);
    for (double& target : targets) target -= all.mean;
  }

  CriterionKind kind;
  std::vector<double> weights, targets, class_weight;
  std::vector<std::int32_t> labels;
  LabelledRows rows{};
};

py::object line_search(const Array<double>& V, const Array<double>& R, const py::object& y,
                       int n_classes, const std::string& criterion,
                       const std::optional<Array<double>>& weight, std::int64_t min_rows,
                       double min_weight, double tie_tolerance, bool unsigned_sweep) {
  const auto n = static_cast<std::size_t>(V.size());
  const std::vector<double> v = finite_vector(V, n, "V"), r = finite_vector(R, n, "R");
  const SweepRows sweep(y, n_classes, criterion, weight, n);
  require(tie_tolerance >= 0.0, "tie_tolerance must not be negative");
  LineSearch search(sweep.rows, sweep.kind, checked_limits(min_rows, min_weight));
  return line_search_result(
      search.along(v.data(), r.data(), tie_tolerance, LineSearch::kAnyScore, unsigned_sweep));
}

py::object best_threshold_of(const Array<double>& u, const py::object& y, int n_classes,
                             const std::string& criterion,
                             const std::optional<Array<double>>& weight, std::int64_t min_rows,
                             double min_weight, double tie_tolerance) {
  const auto n = static_cast<std::size_t>(u.size());
  const std::vector<double> values = finite_vector(u, n, "u");
  const SweepRows sweep(y, n_classes, criterion, weight, n);
  require(tie_tolerance >= 0.0, "tie_tolerance must not be negative");
  LineSearch search(sweep.rows, sweep.kind, checked_limits(min_rows, min_weight));
  return line_search_result(search.threshold(values.data(), tie_tolerance));
}

std::vector<double> class_weights(const Array<double>& weights) {
  std::vector<double> values =
      finite_vector(weights, static_cast<std::size_t>(weights.size()), "class weights");
  require(!values.empty(), "there must be at least one class");
  for (double value : values) require(value >= 0.0, "class weights must not be negative");
  return values;
}

double score(const Array<double>& child0, const Array<double>& child1,
             const std::string& criterion) {
  const std::vector<double> in0 = class_weights(child0), in1 = class_weights(child1);
  require(in0.size() == in1.size(), "both children need a weight for every class");
  double n0 = 0.0, n1 = 0.0;
  std::vector<double> total(in0);
  for (std::size_t k = 0; k < in0.size(); ++k) {
    total[k] += in1[k];
    n0 += in0[k];
    n1 += in1[k];
  }
  const CriterionKind kind = class_criterion(criterion);
  if (!(n0 > 0.0) || !(n1 > 0.0)) return 0.0;
  return partition_score(kind, in0.data(), total.data(), static_cast<int>(total.size()));
}

// ---------------------------------------------------------------------------------- options

template <class Enum>
Enum choice(const std::string& value, const std::map<std::string, Enum>& choices) {
  const auto found = choices.find(value);
  require(found != choices.end(), "unknown option '" + value + "'");
  return found->second;
}

std::shared_ptr<OC1> make_oc1(int restarts, int jumps, const std::string& order, int random_moves,
                              const std::string& stagnation, double stagnation_step,
                              std::int64_t min_rows, double axis_bias, bool axis_start,
                              bool perturb_constant, const std::string& start,
                              const std::string& origin, bool legacy_sweep) {
  OC1Options options;
  options.restarts = restarts;
  options.jumps = jumps;
  options.order = choice<OC1Options::Order>(order, {{"sequential", OC1Options::Order::sequential},
                                                    {"best", OC1Options::Order::best},
                                                    {"random", OC1Options::Order::random}});
  options.random_moves = random_moves;
  options.stagnation = choice<OC1Options::Stagnation>(
      stagnation, {{"probability", OC1Options::Stagnation::probability},
                   {"counter", OC1Options::Stagnation::counter}});
  options.stagnation_step = stagnation_step;
  options.min_rows = min_rows;
  options.axis_bias = axis_bias;
  options.axis_start = axis_start;
  options.perturb_constant = perturb_constant;
  options.start =
      choice<OC1Options::Start>(start, {{"faithful", OC1Options::Start::faithful},
                                        {"through_point", OC1Options::Start::through_point}});
  options.origin = choice<OC1Options::Origin>(
      origin, {{"median", OC1Options::Origin::median}, {"original", OC1Options::Origin::original}});
  options.legacy_sweep = legacy_sweep;
  require(restarts >= 1 && jumps >= 0 && random_moves >= 1, "restarts and moves must be positive");
  return std::make_shared<OC1>(options);
}

// ---------------------------------------------------------------------------------- nodes

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
      .def(py::init([](const std::shared_ptr<Problem>& problem) {
             std::vector<std::uint32_t> rows(problem->table.n_rows);
             std::iota(rows.begin(), rows.end(), 0u);
             std::vector<double> class_weight(problem->n_classes, 0.0);
             for (std::uint32_t row : rows)
               class_weight[problem->label[row]] += problem->weight_of(row);
             return std::make_shared<Node>(problem, rows.data(), rows.size(),
                                           std::move(class_weight), true);
           }),
           py::keep_alive<1, 2>())
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

void bind_searches(py::module_& module) {
  py::class_<Search, std::shared_ptr<Search>>(module, "Search")
      .def_property_readonly("reads_indicators", &Search::reads_indicators);
  py::class_<AxisParallel, Search, std::shared_ptr<AxisParallel>>(module, "AxisParallel")
      .def(py::init<>());
  py::class_<C45, Search, std::shared_ptr<C45>>(module, "C45")
      .def(py::init<double, bool>(), py::arg("min_cases"), py::arg("threshold_cost"));
  py::class_<OC1, Search, std::shared_ptr<OC1>>(module, "OC1")
      .def(py::init(&make_oc1), py::kw_only(), py::arg("restarts"), py::arg("jumps"),
           py::arg("order"), py::arg("random_moves"), py::arg("stagnation"),
           py::arg("stagnation_step"), py::arg("min_rows"), py::arg("axis_bias"),
           py::arg("axis_start"), py::arg("perturb_constant"), py::arg("start"), py::arg("origin"),
           py::arg("legacy_sweep"));
  py::class_<CartLC, Search, std::shared_ptr<CartLC>>(module, "CARTLC")
      .def(py::init([](bool normalize, std::vector<double> gammas, int max_cycles, double tolerance,
                       double beta, bool univariate) {
             return std::make_shared<CartLC>(CartLCOptions{normalize, std::move(gammas), max_cycles,
                                                           tolerance, beta, univariate});
           }),
           py::kw_only(), py::arg("normalize"), py::arg("gammas"), py::arg("max_cycles"),
           py::arg("tolerance"), py::arg("beta"), py::arg("univariate"));
  py::class_<Sadt, Search, std::shared_ptr<Sadt>>(module, "SADT")
      .def(py::init([](double temperature, double cooling, std::int64_t patience, bool move_all,
                       double step) {
             return std::make_shared<Sadt>(
                 SadtOptions{temperature, cooling, patience, move_all, step});
           }),
           py::kw_only(), py::arg("temperature"), py::arg("cooling"), py::arg("patience"),
           py::arg("move_all"), py::arg("step"));
  using Inner = std::shared_ptr<Search>;
  py::class_<BestOf, Search, std::shared_ptr<BestOf>>(module, "BestOf")
      .def(py::init([](const std::vector<Inner>& searches) {
        return std::make_shared<BestOf>(
            std::vector<std::shared_ptr<const Search>>(searches.begin(), searches.end()));
      }));
  py::class_<Standardize, Search, std::shared_ptr<Standardize>>(module, "Standardize")
      .def(py::init([](const Inner& search) { return std::make_shared<Standardize>(search); }));
  py::class_<PythonSearch, Search, std::shared_ptr<PythonSearch>>(module, "PythonSearch")
      .def(py::init<py::object>());
}

void bind_kernels(py::module_& module) {
  module.def("line_search", &line_search, py::arg("V"), py::arg("R"), py::arg("y"),
             py::arg("n_classes"), py::arg("criterion"), py::arg("weight") = py::none(),
             py::arg("min_rows") = 1, py::arg("min_weight") = 0.0, py::arg("tie_tolerance") = 0.0,
             py::arg("unsigned_sweep") = false);
  module.def("best_threshold", &best_threshold_of, py::arg("u"), py::arg("y"), py::arg("n_classes"),
             py::arg("criterion"), py::arg("weight") = py::none(), py::arg("min_rows") = 1,
             py::arg("min_weight") = 0.0, py::arg("tie_tolerance") = 0.0);
  module.def("score", &score, py::arg("child0"), py::arg("child1"), py::arg("criterion"));
  module.def(
      "impurity",
      [](const Array<double>& weights, const std::string& criterion) {
        const std::vector<double> values = class_weights(weights);
        return impurity(class_criterion(criterion), values.data(), static_cast<int>(values.size()));
      },
      py::arg("class_weights"), py::arg("criterion"));
}

void connect_lapack() {
  const py::object exported =
      py::module_::import("scipy.linalg.cython_lapack").attr("__pyx_capi__");
  const auto capsule = py::reinterpret_borrow<py::capsule>(exported["dsyev"]);
  Lapack::dsyev = reinterpret_cast<Lapack::Dsyev>(capsule.get_pointer<void>());
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled core of aslant; see aslant for the public names.";
  connect_lapack();
  py::class_<Problem, std::shared_ptr<Problem>>(module, "Problem")
      .def(py::init(&make_problem), py::arg("X"), py::arg("y"), py::arg("n_classes"),
           py::arg("weight"), py::arg("column_feature"), py::arg("column_level"),
           py::arg("criterion"), py::arg("min_rows"), py::arg("min_weight"),
           py::arg("fill_with_training_mean"), py::keep_alive<1, 2>());
  bind_node(module);
  bind_searches(module);
  bind_kernels(module);
  module.def("grow", &grow_tree, py::arg("problem"), py::arg("search"), py::arg("seed"),
             py::arg("n_threads"), py::arg("max_depth"), py::arg("min_samples_split"),
             py::arg("min_impurity_decrease"), py::arg("max_leaf_nodes"), py::arg("progress"));
  module.def("find_split", &find_split, py::arg("search"), py::arg("node"), py::arg("seed"));
  py::class_<Tree, std::shared_ptr<Tree>>(module, "Tree")
      .def(py::init(&make_tree), py::kw_only(), py::arg("n_features"), py::arg("children"),
           py::arg("row_start"), py::arg("coef_start"), py::arg("coef_column"),
           py::arg("coef_value"), py::arg("coef_fill"), py::arg("offset"),
           py::arg("column_feature"), py::arg("column_level"))
      .def("apply", &apply_tree, py::arg("X"), py::arg("start"), py::arg("n_threads"));
}

}  // namespace aslant
