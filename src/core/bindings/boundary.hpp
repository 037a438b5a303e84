// The boundary to Python, known to this folder only. Validates shapes, types and ranges, so the
// core never indexes by unchecked input.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings/outside_world.hpp"
#include "node/node.hpp"
#include "support/workspace.hpp"

namespace py = pybind11;

namespace aslant {

// Each file adds its part to the module.
void bind_problem(py::module_& module);
void bind_searches(py::module_& module);
void bind_growing(py::module_& module);
void bind_pieces(py::module_& module);
void bind_forest(py::module_& module);
void bind_kernels(py::module_& module);
void bind_refining(py::module_& module);
void bind_boosting(py::module_& module);

// The node of all rows of a problem, or of some rows of the table.
std::shared_ptr<Node> whole_node(const std::shared_ptr<Problem>& problem);
std::shared_ptr<Node> node_of(const std::shared_ptr<Problem>& problem,
                              const std::vector<std::uint32_t>& rows);

// Converts a split to its Python object, and back.
py::object make_split(const Node& node, const Split& split);
Split split_from_python(const Node& node, const py::handle& object);

// Passed to the definition of every computing function: each call has its own workspace.
using Computes = py::call_guard<Workspace>;

template <class T>
using Array = py::array_t<T, py::array::c_style | py::array::forcecast>;

// Builds the message only on failure: some conditions are checked for every value.
template <class Message>
inline void require(bool condition, const Message& message) {
  if (!condition) throw std::invalid_argument(message);
}

template <class T>
std::vector<T> to_vector(const Array<T>& array) {
  return {array.data(), array.data() + array.size()};
}

// Moves a vector into a read-only array without a copy.
template <class T>
py::array_t<T> moved_to_array(std::vector<T>&& values, std::vector<py::ssize_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<py::ssize_t>(values.size())};
  auto* kept = new std::vector<T>(std::move(values));
  const py::capsule owner(kept, [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  py::array_t<T> array(shape, kept->data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

template <class T>
py::array_t<T> to_array(const std::vector<T>& values, std::vector<py::ssize_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<py::ssize_t>(values.size())};
  return py::array_t<T>(shape, values.data());
}

inline std::vector<double> finite_vector(const Array<double>& array, std::size_t n,
                                         const char* name) {
  require(array.ndim() == 1 && static_cast<std::size_t>(array.size()) == n,
          std::string(name) + " must be a vector of " + std::to_string(n) + " values");
  std::vector<double> values = to_vector(array);
  for (double value : values)
    if (!std::isfinite(value)) throw std::invalid_argument(std::string(name) + " must be finite");
  return values;
}

// Keeps a Python object alive for parts of the core that may outlive every Python reference. Any
// thread may release the last one, with or without the GIL.
inline std::shared_ptr<const void> kept_alive(const py::object& object) {
  return {object.inc_ref().ptr(), [](const void* kept) {
            if (!Py_IsInitialized()) return;
            const InterpreterLock lock;
            py::handle(static_cast<PyObject*>(const_cast<void*>(kept))).dec_ref();
          }};
}

// Compressed sparse rows, as in SciPy; the features of a row must ascend.
inline Table sparse_table_of(const py::object& X) {
  const auto data = X.attr("data").cast<py::array>();
  const auto shape = X.attr("shape").cast<std::pair<std::int64_t, std::int64_t>>();
  const auto starts = X.attr("indptr").cast<Array<std::int64_t>>();
  const auto features = X.attr("indices").cast<Array<std::int32_t>>();
  Table table;
  table.single_precision = py::isinstance<py::array_t<float>>(data);
  require(table.single_precision || py::isinstance<py::array_t<double>>(data),
          "X must hold float32 or float64 values");
  table.n_rows = shape.first;
  require(table.n_rows < (std::int64_t{1} << 31) && shape.second < (1 << 30),
          "X has more rows or features than can be numbered");
  table.n_features = static_cast<int>(shape.second);
  table.data = static_cast<const char*>(data.data());
  table.row_begin = starts.data();
  table.feature_of = features.data();
  table.owner = kept_alive(py::make_tuple(data, starts, features));
  // All starts are checked before any row is read.
  require(data.ndim() == 1 && data.size() == features.size() && table.n_rows >= 0 &&
              starts.size() == table.n_rows + 1 && starts.data()[0] == 0 &&
              starts.data()[table.n_rows] == data.size() &&
              std::is_sorted(starts.data(), starts.data() + starts.size()) &&
              (data.size() == 0 || data.strides(0) == data.itemsize()),
          "the arrays of the sparse matrix do not fit together");
  for (std::int64_t row = 0; row < table.n_rows; ++row)
    for (std::int64_t e = table.row_begin[row]; e < table.row_begin[row + 1]; ++e)
      require(table.feature_of[e] >= 0 && table.feature_of[e] < table.n_features &&
                  (e == table.row_begin[row] || table.feature_of[e - 1] < table.feature_of[e]),
              "the column numbers of a sparse row must ascend and be in range");
  return table;
}

// Copies only matrices that are not aligned in memory.
inline Table table_of(const py::object& object) {
  if (py::hasattr(object, "indptr")) return sparse_table_of(object);
  const auto given = object.cast<py::array>();
  constexpr int kAligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  require(given.ndim() == 2, "X must be a matrix");
  Table table;
  table.single_precision = py::isinstance<py::array_t<float>>(given);
  require(table.single_precision || py::isinstance<py::array_t<double>>(given),
          "X must hold float32 or float64 values");
  const py::array X = table.single_precision
                          ? py::array(py::array_t<float, kAligned>::ensure(given))
                          : py::array(py::array_t<double, kAligned>::ensure(given));
  if (!X) throw py::error_already_set();
  table.data = static_cast<const char*>(X.data());
  table.n_rows = X.shape(0);
  table.n_features = static_cast<int>(X.shape(1));
  table.row_stride = X.strides(0);
  table.feature_stride = X.strides(1);
  table.owner = kept_alive(X);
  require(table.n_rows < (std::int64_t{1} << 31) && X.shape(1) < (1 << 30),
          "X has more rows or features than can be numbered");
  return table;
}

inline Columns columns_of(const Array<std::int32_t>& feature, const Array<std::int32_t>& level) {
  return {to_vector(feature), to_vector(level)};
}

inline std::vector<std::int32_t> checked_labels(const py::object& y, std::int64_t n_rows,
                                                int n_classes) {
  const auto given = py::cast<py::array>(y);
  require(given.dtype().kind() == 'i' || given.dtype().kind() == 'u',
          "y must hold class codes, which are integers");
  require(given.ndim() == 1 && given.size() == n_rows, "y must hold one class code per row");
  require(n_classes >= 1, "there must be at least one class");
  const auto checked = [n_classes](const auto& codes) -> std::vector<std::int32_t> {
    for (py::ssize_t i = 0; i < codes.size(); ++i)
      require(codes.data()[i] >= 0 && codes.data()[i] < n_classes,
              "a class code is outside 0..n_classes-1");
    return {codes.data(), codes.data() + codes.size()};
  };
  if (py::isinstance<py::array_t<std::int32_t>>(given))
    return checked(given.cast<Array<std::int32_t>>());
  return checked(given.cast<Array<std::int64_t>>());
}

// Regression targets: one or several outputs per row.
struct Regression {
  std::vector<double> values;
  int n_outputs = 1;
};
inline Regression checked_targets(const py::object& y, std::int64_t n_rows) {
  const auto values = y.cast<Array<double>>();
  require((values.ndim() == 1 || values.ndim() == 2) && values.shape(0) == n_rows &&
              (values.ndim() == 1 || values.shape(1) >= 1),
          "y must hold one target, or several, for each row");
  for (py::ssize_t i = 0; i < values.size(); ++i)
    require(std::isfinite(values.data()[i]), "y must be finite");
  return {to_vector(values), values.ndim() == 1 ? 1 : static_cast<int>(values.shape(1))};
}

inline ChildLimits checked_limits(std::int64_t min_rows, double min_weight) {
  require(min_weight >= 0.0 && std::isfinite(min_weight), "min_weight must not be negative");
  return {std::max<std::int64_t>(1, min_rows), min_weight};
}

inline std::vector<double> checked_weights(const std::optional<Array<double>>& weight,
                                           std::int64_t n_rows, bool keep_ones = false) {
  if (!weight) return {};
  std::vector<double> weights =
      finite_vector(*weight, static_cast<std::size_t>(n_rows), "sample weights");
  bool all_one = true;
  for (double w : weights) {
    require(w >= 0.0, "sample weights must not be negative");
    all_one = all_one && w == 1.0;
  }
  if (all_one && !keep_ones) weights.clear();
  return weights;
}

// A criterion that fits the target.
inline CriterionKind criterion_for(const Target& target, const std::string& name) {
  const CriterionKind kind = CriterionKind(name);
  const bool classes = target.classes() != nullptr;
  require(is_regression(kind) != classes,
          classes ? name + " does not apply to classes" : name + " does not apply to numbers");
  return kind;
}

// Rows of a table.
inline std::vector<std::uint32_t> checked_rows(const Array<std::int64_t>& rows,
                                               std::int64_t n_rows) {
  require(rows.ndim() == 1 && rows.size() > 0, "rows must be a list of row numbers");
  for (py::ssize_t i = 0; i < rows.size(); ++i)
    require(rows.data()[i] >= 0 && rows.data()[i] < n_rows, "there is no such row");
  return {rows.data(), rows.data() + rows.size()};
}

}  // namespace aslant
