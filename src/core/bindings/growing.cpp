// Growing, applying and collapsing trees.

#include "bindings/growing.hpp"

#include <pybind11/functional.h>

#include "bindings/boundary.hpp"
#include "tree/ordered_values.hpp"
#include "tree/weakest_links.hpp"

namespace aslant {

py::dict arrays_of(GrownTree&& growth, const Problem& problem) {
  const Columns& columns = problem.features().columns();
  const auto nodes = static_cast<py::ssize_t>(growth.n_nodes());
  py::dict arrays;
  arrays["children"] = moved_to_array(std::move(growth.children), {nodes, growth.max_children});
  arrays["row_start"] = moved_to_array(std::move(growth.row_start));
  arrays["coef_start"] = moved_to_array(std::move(growth.coef_start));
  arrays["coef_column"] = moved_to_array(std::move(growth.coef_column));
  arrays["coef_value"] = moved_to_array(std::move(growth.coef_value));
  arrays["coef_fill"] = moved_to_array(std::move(growth.coef_fill));
  arrays["offset"] = moved_to_array(std::move(growth.offset));
  arrays["column_feature"] = to_array(columns.feature);
  arrays["column_level"] = to_array(columns.level);
  arrays["value"] = moved_to_array(std::move(growth.statistics), {nodes, problem.target().width()});
  arrays["n_node_samples"] = moved_to_array(std::move(growth.n_node_samples));
  arrays["impurity"] = moved_to_array(std::move(growth.impurity));
  arrays["n_features"] = problem.features().table().n_features;
  return arrays;
}

StoppingRules stopping_rules(std::int64_t max_depth, std::int64_t min_samples_split,
                             double min_impurity_decrease, std::int64_t max_leaf_nodes) {
  StoppingRules rules;
  if (max_depth >= 0 && max_depth < rules.max_depth) rules.max_depth = static_cast<int>(max_depth);
  rules.min_samples_split = min_samples_split;
  rules.min_impurity_decrease = min_impurity_decrease;
  rules.max_leaf_nodes = max_leaf_nodes;
  return rules;
}

namespace {

py::dict grow_tree(const std::shared_ptr<Problem>& problem, const Search& search,
                   std::uint64_t seed, int n_threads, std::int64_t max_depth,
                   std::int64_t min_samples_split, double min_impurity_decrease,
                   std::int64_t max_leaf_nodes, const py::object& progress,
                   const std::optional<std::uint64_t>& key, int depth, double total_weight) {
  const StoppingRules rules =
      stopping_rules(max_depth, min_samples_split, min_impurity_decrease, max_leaf_nodes);
  auto look_outside = outside_world(progress);
  GrownTree growth;
  {
    const WithoutInterpreterLock no_lock;
    growth = grow(problem, search, rules, {key.value_or(scramble(seed)), depth, total_weight},
                  n_threads, std::ref(look_outside));
  }
  py::dict result;
  result["hyperplanes"] = growth.hyperplanes;
  result["rows"] = moved_to_array(std::move(growth.rows));
  result["gain"] = moved_to_array(std::move(growth.gain));
  result["row_begin"] = moved_to_array(std::move(growth.row_begin));
  result["tree"] = arrays_of(std::move(growth), *problem);
  return result;
}

std::optional<Split> run(const Search& search, const NodePointer& node, std::uint64_t seed) {
  const WithoutInterpreterLock no_lock;
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

// The indices at which a mask is true.
template <class Index>
std::vector<Index> chosen(const Array<bool>& mask, std::int64_t size, const char* message) {
  require(mask.ndim() == 1 && mask.size() == size, message);
  std::vector<Index> indices;
  for (std::int64_t i = 0; i < size; ++i)
    if (mask.data()[i]) indices.push_back(static_cast<Index>(i));
  return indices;
}

// The test of the node of some rows, over some columns, in input units.
py::object find_test(const std::shared_ptr<Problem>& problem, const Search& search,
                     std::uint64_t seed, const Array<std::int64_t>& rows,
                     const Array<bool>& columns) {
  const auto usable = chosen<int>(columns, problem->features().columns().size(),
                                  "columns must say for each column whether it may be used");
  const NodePointer node = node_of(problem, checked_rows(rows, problem->features().table().n_rows))
                               ->restricted_to(usable);
  const std::optional<Split> split = run(search, node, seed);
  return split ? make_split(*node, node->columns().in_input_units(*split)) : py::none();
}

Descendants checked_descendants(const Array<std::int32_t>& children) {
  require(children.ndim() == 2 && children.shape(1) >= 1, "children must be a matrix");
  const Descendants tree{{children.data(), static_cast<std::size_t>(children.size())},
                         static_cast<std::size_t>(children.shape(1))};
  for (py::ssize_t i = 0; i < children.size(); ++i) {
    const std::int32_t child = children.data()[i];
    require(child < children.shape(0) && (child < 0 || child > i / children.shape(1)),
            "a child must come after its parent");
  }
  return tree;
}

std::vector<double> one_for_each(const Descendants& tree, const Array<double>& value) {
  require(value.ndim() == 1 && static_cast<std::size_t>(value.size()) == tree.n_nodes(),
          "there must be a number for each node");
  return to_vector(value);
}

py::array collapse_alphas_of(const Array<std::int32_t>& children, const Array<double>& risk,
                             bool keep_root, double tie) {
  const Descendants tree = checked_descendants(children);
  return moved_to_array(collapse_alphas(tree, one_for_each(tree, risk), keep_root, tie));
}

py::array least_above_in(const Array<std::int32_t>& children, const Array<double>& value,
                         double at_root) {
  const Descendants tree = checked_descendants(children);
  return moved_to_array(least_above(tree, one_for_each(tree, value), at_root));
}

py::array ordered_values_of(const Array<std::int32_t>& children, const Array<std::int32_t>& order,
                            const Array<double>& value, const Array<double>& weight) {
  const Descendants tree = checked_descendants(children);
  require(order.ndim() == 1 && static_cast<std::size_t>(order.size()) == tree.n_nodes(),
          "order must have an entry for each node");
  return moved_to_array(ordered_values(tree, to_vector(order), one_for_each(tree, value),
                                       one_for_each(tree, weight)));
}

// A tree and the arrays it reads, which must not change.
struct BoundTree {
  std::vector<py::array> kept;
  std::unique_ptr<const Tree> tree;
};

template <class T>
Span<T> span_of(const Array<T>& array, std::vector<py::array>& kept) {
  kept.push_back(array);
  return {array.data(), static_cast<std::size_t>(array.size())};
}

std::shared_ptr<BoundTree> make_tree(
    int n_features, const Array<std::int32_t>& children, const Array<std::int32_t>& row_start,
    const Array<std::int64_t>& coef_start, const Array<std::int32_t>& coef_column,
    const Array<double>& coef_value, const Array<double>& coef_fill, const Array<double>& offset,
    const Array<std::int32_t>& column_feature, const Array<std::int32_t>& column_level) {
  require(children.ndim() == 2, "not a valid tree: children must be a matrix");
  auto bound = std::make_shared<BoundTree>();
  TreeArrays arrays;
  arrays.n_features = n_features;
  arrays.max_children = static_cast<int>(children.shape(1));
  arrays.children = span_of(children, bound->kept);
  arrays.row_start = span_of(row_start, bound->kept);
  arrays.coef_start = span_of(coef_start, bound->kept);
  arrays.coef_column = span_of(coef_column, bound->kept);
  arrays.coef_value = span_of(coef_value, bound->kept);
  arrays.coef_fill = span_of(coef_fill, bound->kept);
  arrays.offset = span_of(offset, bound->kept);
  arrays.columns = columns_of(column_feature, column_level);
  bound->tree = std::make_unique<const Tree>(arrays);
  return bound;
}

py::array_t<std::int32_t> apply_tree(const BoundTree& bound, const py::object& X, int start,
                                     int n_threads) {
  const Tree& tree = *bound.tree;
  const Table table = table_of(X);
  require(table.n_features == tree.features(), "X has another number of features than the tree");
  require(start >= 0 && start < tree.n_nodes(), "there is no such node to start from");
  py::array_t<std::int32_t> leaves(table.n_rows);
  std::int32_t* out = leaves.mutable_data();
  {
    const WithoutInterpreterLock no_lock;
    constexpr std::int64_t kChunk = 16384;
    if (table.n_rows <= kChunk) {
      tree.apply(table, 0, table.n_rows, start, out);
      return leaves;
    }
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
             py::arg("min_impurity_decrease"), py::arg("max_leaf_nodes"), py::arg("progress"),
             py::arg("key") = py::none(), py::arg("depth") = 0, py::arg("total_weight") = 0.0,
             Computes());
  module.def("find_test", &find_test, py::arg("problem"), py::arg("search"), py::arg("seed"),
             py::arg("rows"), py::arg("columns"), Computes());
  module.def("collapse_alphas", &collapse_alphas_of, py::arg("children"), py::arg("risk"),
             py::arg("keep_root"), py::arg("tie"), Computes());
  module.def("least_above", &least_above_in, py::arg("children"), py::arg("value"),
             py::arg("at_root"), Computes());
  module.def("ordered_values", &ordered_values_of, py::arg("children"), py::arg("order"),
             py::arg("value"), py::arg("weight"), Computes());
  module.def("find_split", &find_split, py::arg("search"), py::arg("node"), py::arg("seed"),
             Computes());
  py::class_<BoundTree, std::shared_ptr<BoundTree>>(module, "Tree")
      .def(py::init(&make_tree), py::kw_only(), py::arg("n_features"), py::arg("children"),
           py::arg("row_start"), py::arg("coef_start"), py::arg("coef_column"),
           py::arg("coef_value"), py::arg("coef_fill"), py::arg("offset"),
           py::arg("column_feature"), py::arg("column_level"), Computes())
      .def("apply", &apply_tree, py::arg("X"), py::arg("start"), py::arg("n_threads"), Computes());
}

}  // namespace aslant
