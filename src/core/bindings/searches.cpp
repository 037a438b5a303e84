// Searches and learners by name, and searches written in Python.

#include "bindings/boundary.hpp"
#include "bindings/outside_world.hpp"
#include "learn/learner.hpp"
#include "search/search.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

// A search written in Python, called through the same interface.
class PythonSearch : public Search {
 public:
  explicit PythonSearch(py::object search) : search_(std::move(search)) {}
  ~PythonSearch() override {
    const InterpreterLock lock;
    search_ = py::object();
  }
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override {
    const InterpreterLock lock;
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

OptionValue option_from_python(const std::string& name, const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (PyIndex_Check(value.ptr())) {
    const py::int_ whole(py::reinterpret_borrow<py::object>(value));
    int beyond = 0;  // exceeds 64 bits; a double may still hold it
    const long long number = PyLong_AsLongLongAndOverflow(whole.ptr(), &beyond);
    if (beyond == 0) return static_cast<std::int64_t>(number);
  }
  if (PyNumber_Check(value.ptr()))
    return py::float_(py::reinterpret_borrow<py::object>(value)).cast<double>();
  if (py::isinstance<Search>(value)) return SearchPointer(value.cast<std::shared_ptr<Search>>());
  if (py::isinstance<Learner>(value))
    return std::shared_ptr<const Learner>(value.cast<std::shared_ptr<Learner>>());
  if (py::isinstance<py::sequence>(value)) {
    const auto items = py::reinterpret_borrow<py::sequence>(value);
    if (py::len(items) > 0 && py::isinstance<Search>(items[0])) {
      std::vector<SearchPointer> searches;
      for (const py::handle item : items) searches.push_back(item.cast<std::shared_ptr<Search>>());
      return searches;
    }
    return value.cast<std::vector<double>>();
  }
  throw py::type_error("option '" + name + "' has a type that no option has");
}

Options options_from_python(const py::kwargs& given) {
  std::map<std::string, OptionValue> values;
  for (const auto& [key, value] : given) {
    const auto name = py::cast<std::string>(key);
    values.emplace(name, option_from_python(name, value));
  }
  return Options(std::move(values));
}

}  // namespace

void bind_searches(py::module_& module) {
  py::class_<Search, std::shared_ptr<Search>>(module, "Search");
  py::class_<Learner, std::shared_ptr<Learner>>(module, "Learner");
  module.def(
      "search",
      [](const std::string& name, const py::kwargs& options) {
        return RegisteredSearch::make(name, options_from_python(options));
      },
      py::arg("name"));
  module.def(
      "learner",
      [](const std::string& name, const py::kwargs& options) {
        return RegisteredLearner::make(name, options_from_python(options));
      },
      py::arg("name"));
  module.def("python_search", [](py::object search) -> std::shared_ptr<Search> {
    return std::make_shared<PythonSearch>(std::move(search));
  });
}

}  // namespace aslant
