// Growing forests and predicting with them.

#include "tree/forest.hpp"

#include <pybind11/functional.h>

#include "bindings/boundary.hpp"
#include "bindings/growing.hpp"
#include "growth/forest.hpp"

namespace aslant {

namespace {

py::tuple grow_all(const Problem& problem, const Search& search,
                   const std::vector<std::uint64_t>& seeds, std::int64_t n_drawn, bool balanced,
                   int n_threads, std::int64_t max_depth, std::int64_t min_samples_split,
                   double min_impurity_decrease, std::int64_t max_leaf_nodes,
                   const py::object& progress) {
  require(n_drawn >= 0 && n_drawn < (std::int64_t{1} << 31), "n_drawn is out of range");
  require(!balanced || (n_drawn > 0 && problem.target().classes() != nullptr),
          "only classes of drawn rows can be balanced");
  const StoppingRules stopping =
      stopping_rules(max_depth, min_samples_split, min_impurity_decrease, max_leaf_nodes);
  auto look_outside = outside_world(progress);
  std::vector<GrownTree> grown;
  {
    const WithoutInterpreterLock no_lock;
    grown = grow_forest(problem, {n_drawn, balanced}, search, stopping, seeds, n_threads,
                        std::ref(look_outside));
  }
  std::int64_t hyperplanes = 0;
  py::list trees;
  for (GrownTree& growth : grown) {
    hyperplanes += growth.hyperplanes;
    trees.append(arrays_of(std::move(growth), problem));
  }
  return py::make_tuple(trees, hyperplanes);
}

// Adds a validated tree; does not keep the arrays.
void add_tree(Forest& forest, const Array<std::int32_t>& children,
              const Array<std::int32_t>& row_start, const Array<std::int64_t>& coef_start,
              const Array<std::int32_t>& coef_column, const Array<double>& coef_value,
              const Array<double>& coef_fill, const Array<double>& offset,
              const Array<std::int32_t>& column_feature, const Array<std::int32_t>& column_level,
              const Array<double>& says) {
  require(children.ndim() == 2, "not a valid tree: children must be a matrix");
  const auto span = [](const auto& array) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(array.data())>>;
    return Span<T>(array.data(), static_cast<std::size_t>(array.size()));
  };
  TreeArrays arrays;
  arrays.n_features = forest.n_features();
  arrays.max_children = static_cast<int>(children.shape(1));
  arrays.children = span(children);
  arrays.row_start = span(row_start);
  arrays.coef_start = span(coef_start);
  arrays.coef_column = span(coef_column);
  arrays.coef_value = span(coef_value);
  arrays.coef_fill = span(coef_fill);
  arrays.offset = span(offset);
  arrays.columns = columns_of(column_feature, column_level);
  Tree::check(arrays);
  require(says.ndim() == 2 && says.shape(0) == children.shape(0) && says.shape(1) == forest.width(),
          "a forest needs what each node says");
  forest.add(arrays, says.data());
}

// Calls body(begin, end) for blocks of rows, on several threads.
template <class Body>
void for_parts(const Table& table, int n_threads, const Body& body) {
  const WithoutInterpreterLock no_lock;
  constexpr std::int64_t kFewest = 256;
  const std::int64_t share = (table.n_rows + n_threads - 1) / n_threads;
  const std::int64_t part =
      std::min<std::int64_t>(Forest::kMostRowsTogether, std::max(kFewest, share));
  const auto parts = static_cast<int>((table.n_rows + part - 1) / part);
  Supervisor supervisor;
  ThreadPool pool(std::max(1, std::min(n_threads, parts)), supervisor);
  pool.for_each(parts, [&](int i) { body(i * part, std::min(table.n_rows, (i + 1) * part)); });
}

Table checked_table(const Forest& forest, const py::object& X) {
  const Table table = table_of(X);
  require(table.n_features == forest.n_features(),
          "X has another number of features than the trees");
  return table;
}

py::array_t<double> predict(const Forest& forest, const py::object& X, int n_threads) {
  const Table table = checked_table(forest, X);
  py::array_t<double> sums({table.n_rows, static_cast<std::int64_t>(forest.width())});
  double* out = sums.mutable_data();
  std::fill(out, out + sums.size(), 0.0);
  for_parts(table, n_threads,
            [&](std::int64_t begin, std::int64_t end) { forest.predict(table, begin, end, out); });
  return sums;
}

// Out-of-bag sums of leaf values, and the number of trees behind each.
py::tuple predict_out_of_bag(const Forest& forest, const py::object& X,
                             const std::vector<std::uint64_t>& seeds, std::int64_t n_drawn,
                             int n_threads) {
  const Table table = checked_table(forest, X);
  require(static_cast<int>(seeds.size()) == forest.n_trees(), "every tree needs its seed");
  py::array_t<double> sums({table.n_rows, static_cast<std::int64_t>(forest.width())});
  py::array_t<std::int32_t> asked(table.n_rows);
  double* out = sums.mutable_data();
  std::int32_t* counts = asked.mutable_data();
  std::fill(out, out + sums.size(), 0.0);
  std::fill(counts, counts + table.n_rows, 0);
  std::vector<std::vector<bool>> drawn;
  for (std::uint64_t seed : seeds) {
    drawn.emplace_back(table.n_rows, false);
    for (std::uint32_t row : drawn_rows(seed, table.n_rows, n_drawn)) drawn.back()[row] = true;
  }
  for_parts(table, n_threads, [&](std::int64_t begin, std::int64_t end) {
    forest.predict(table, begin, end, out, &drawn, counts);
  });
  return py::make_tuple(sums, asked);
}

py::array_t<std::int32_t> apply(const Forest& forest, const py::object& X, int n_threads) {
  const Table table = checked_table(forest, X);
  py::array_t<std::int32_t> leaves({table.n_rows, static_cast<std::int64_t>(forest.n_trees())});
  std::int32_t* out = leaves.mutable_data();
  for_parts(table, n_threads,
            [&](std::int64_t begin, std::int64_t end) { forest.apply(table, begin, end, out); });
  return leaves;
}

std::shared_ptr<Forest> make_forest(int n_features, int width) {
  require(n_features >= 1 && width >= 1, "a forest needs a feature and something to say");
  return std::make_shared<Forest>(n_features, width);
}

}  // namespace

void bind_forest(py::module_& module) {
  module.def("grow_forest", &grow_all, py::arg("problem"), py::arg("search"), py::arg("seeds"),
             py::arg("n_drawn"), py::arg("balanced"), py::arg("n_threads"), py::arg("max_depth"),
             py::arg("min_samples_split"), py::arg("min_impurity_decrease"),
             py::arg("max_leaf_nodes"), py::arg("progress"), Computes());
  module.def(
      "drawn_rows",
      [](std::uint64_t seed, std::int64_t n_rows, std::int64_t n_drawn) {
        require(n_rows >= 1 && n_rows < (std::int64_t{1} << 31) && n_drawn >= 0,
                "there must be rows to draw from");
        const std::vector<std::uint32_t> rows = drawn_rows(seed, n_rows, n_drawn);
        return to_array(std::vector<std::int32_t>(rows.begin(), rows.end()));
      },
      py::arg("seed"), py::arg("n_rows"), py::arg("n_drawn"));
  py::class_<Forest, std::shared_ptr<Forest>>(module, "Forest")
      .def(py::init(&make_forest), py::arg("n_features"), py::arg("width"), Computes())
      .def("add", &add_tree, py::kw_only(), py::arg("children"), py::arg("row_start"),
           py::arg("coef_start"), py::arg("coef_column"), py::arg("coef_value"),
           py::arg("coef_fill"), py::arg("offset"), py::arg("column_feature"),
           py::arg("column_level"), py::arg("says"), Computes())
      .def("predict", &predict, py::arg("X"), py::arg("n_threads"), Computes())
      .def("predict_out_of_bag", &predict_out_of_bag, py::arg("X"), py::arg("seeds"),
           py::arg("n_drawn"), py::arg("n_threads"), Computes())
      .def("apply", &apply, py::arg("X"), py::arg("n_threads"), Computes());
}

}  // namespace aslant
