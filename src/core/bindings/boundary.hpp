// The boundary to Python: only the files of this folder know it. Shapes, types and ranges are
// settled here, so that nothing behind it indexes from unchecked input.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "node.hpp"

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

// The node that holds all rows of a problem, or some of the table's.
std::shared_ptr<Node> whole_node(const std::shared_ptr<Problem>& problem);
std::shared_ptr<Node> node_of(const std::shared_ptr<Problem>& problem,
                              const std::vector<std::uint32_t>& rows);

// A split as the Python object that shows it, and back.
py::object make_split(const Node& node, const Split& split);
Split split_from_python(const Node& node, const py::handle& object);

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

// A vector becomes an array without a copy, and one that cannot be written.
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

inline Table table_of(const py::array& X) {
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

inline Columns columns_of(const Array<std::int32_t>& feature, const Array<std::int32_t>& level) {
  return {to_vector(feature), to_vector(level)};
}

inline std::vector<std::int32_t> checked_labels(const py::object& y, std::int64_t n_rows,
                                                int n_classes) {
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
  const CriterionKind kind = criterion_from_name(name);
  require(is_of_numbers(kind) != target.has_classes(), target.has_classes()
                                                           ? name + " does not apply to classes"
                                                           : name + " does not apply to numbers");
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
