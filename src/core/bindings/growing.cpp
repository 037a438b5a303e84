// Growing and applying trees.

#include <pybind11/functional.h>

#include <chrono>
#include <thread>

#include "bindings/boundary.hpp"
#include "grow.hpp"

namespace aslant {

namespace {

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

std::optional<Split> run(const Search& search, const std::shared_ptr<const Node>& node,
                         std::uint64_t seed) {
  const py::gil_scoped_release no_gil;
  Supervisor supervisor;
  ThreadPool pool(1, supervisor);
  std::atomic<std::int64_t> hyperplanes{0};
  std::optional<Split> split = search.find(node, {scramble(seed), pool, supervisor, hyperplanes});
  if (split && split->columns.empty()) split.reset();
  return split;
}

// The split of one node, in the units of its columns.
py::object find_split(const Search& search, const std::shared_ptr<Node>& node, std::uint64_t seed) {
  const std::optional<Split> split = run(search, node, seed);
  return split ? make_split(*node, *split) : py::none();
}

// What a mask says yes to.
template <class Index>
std::vector<Index> chosen(const Array<bool>& mask, std::int64_t size, const char* message) {
  require(mask.ndim() == 1 && mask.size() == size, message);
  std::vector<Index> indices;
  for (std::int64_t i = 0; i < size; ++i)
    if (mask.data()[i]) indices.push_back(static_cast<Index>(i));
  return indices;
}

// The test of the node that holds some of the rows, over some of the columns, in the units of the
// input.
py::object find_test(const std::shared_ptr<Problem>& problem, const Search& search,
                     std::uint64_t seed, const Array<bool>& rows, const Array<bool>& columns) {
  const auto at_node = chosen<std::uint32_t>(rows, problem->table.n_rows,
                                             "rows must say for each row whether it is there");
  const auto usable = chosen<int>(columns, problem->columns.size(),
                                  "columns must say for each column whether it may be used");
  require(!at_node.empty(), "a node must hold a row");
  const std::shared_ptr<const Node> node = node_of(problem, at_node)->restricted_to(usable);
  const std::optional<Split> split = run(search, node, seed);
  return split ? make_split(*node, node->in_input_units(*split)) : py::none();
}

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

}  // namespace

void bind_growing(py::module_& module) {
  module.def("grow", &grow_tree, py::arg("problem"), py::arg("search"), py::arg("seed"),
             py::arg("n_threads"), py::arg("max_depth"), py::arg("min_samples_split"),
             py::arg("min_impurity_decrease"), py::arg("max_leaf_nodes"), py::arg("progress"));
  module.def("find_test", &find_test, py::arg("problem"), py::arg("search"), py::arg("seed"),
             py::arg("rows"), py::arg("columns"));
  module.def("find_split", &find_split, py::arg("search"), py::arg("node"), py::arg("seed"));
  py::class_<Tree, std::shared_ptr<Tree>>(module, "Tree")
      .def(py::init(&make_tree), py::kw_only(), py::arg("n_features"), py::arg("children"),
           py::arg("row_start"), py::arg("coef_start"), py::arg("coef_column"),
           py::arg("coef_value"), py::arg("coef_fill"), py::arg("offset"),
           py::arg("column_feature"), py::arg("column_level"))
      .def("apply", &apply_tree, py::arg("X"), py::arg("start"), py::arg("n_threads"));
}

}  // namespace aslant
