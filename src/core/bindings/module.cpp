// The module aslant._core.

#include "bindings/boundary.hpp"
#include "bindings/outside_world.hpp"
#include "lapack.hpp"
#include "search/quest_tails.hpp"

namespace aslant {

namespace {

template <class Function>
void connect(Function& function, const py::dict& exported, const char* name) {
  const auto capsule = py::reinterpret_borrow<py::capsule>(exported[name]);
  function = reinterpret_cast<Function>(capsule.get_pointer<void>());
}

void connect_lapack() {
  const py::dict exported = py::module_::import("scipy.linalg.cython_lapack").attr("__pyx_capi__");
  connect(Lapack::dsyev, exported, "dsyev");
  connect(Lapack::dsyevr, exported, "dsyevr");
  connect(Lapack::dpstrf, exported, "dpstrf");
  connect(Lapack::dpotrf, exported, "dpotrf");
  connect(Lapack::dtrtrs, exported, "dtrtrs");
}

// A function that Cython compiled for several types is exported once for each, under a numbered
// name; the one for double precision is told by its signature.
std::string double_precision_name(const py::dict& exported, const std::string& name) {
  for (const auto& [key, value] : exported) {
    const auto candidate = py::cast<std::string>(key);
    const bool fused = candidate.rfind("__pyx_fuse_", 0) == 0 &&
                       candidate.substr(candidate.find_first_not_of("0123456789", 11)) == name;
    const std::string signature = py::reinterpret_borrow<py::capsule>(value).name();
    if ((candidate == name || fused) && signature.rfind("double (double", 0) == 0) return candidate;
  }
  throw py::import_error("SciPy does not export the special function " + name);
}

void connect_special_functions() {
  const py::dict exported =
      py::module_::import("scipy.special.cython_special").attr("__pyx_capi__");
  const auto connect_to = [&](auto& function, const std::string& name) {
    connect(function, exported, double_precision_name(exported, name).c_str());
  };
  connect_to(SpecialFunctions::gammaln, "gammaln");
  connect_to(SpecialFunctions::betaln, "betaln");
  connect_to(SpecialFunctions::chdtrc, "chdtrc");
  connect_to(SpecialFunctions::fdtrc, "fdtrc");
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled core of aslant; see aslant for the public names.";
  connect_lapack();
  connect_special_functions();
  py::module_::import("atexit").attr("register")(
      py::cpp_function([] { Departure::of_the_interpreter().begin(); }));
  bind_problem(module);
  bind_searches(module);
  bind_growing(module);
  bind_pieces(module);
  bind_forest(module);
  bind_kernels(module);
  bind_refining(module);
}

}  // namespace aslant
