// The module aslant._core.

#include "bindings/boundary.hpp"
#include "lapack.hpp"

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
  connect(Lapack::dpotrf, exported, "dpotrf");
  connect(Lapack::dpotri, exported, "dpotri");
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled core of aslant; see aslant for the public names.";
  connect_lapack();
  bind_problem(module);
  bind_searches(module);
  bind_growing(module);
  bind_kernels(module);
}

}  // namespace aslant
