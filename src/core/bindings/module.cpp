// The module aslant._core.

#include "bindings/boundary.hpp"
#include "lapack.hpp"

namespace aslant {

namespace {

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
  bind_problem(module);
  bind_searches(module);
  bind_growing(module);
  bind_kernels(module);
}

}  // namespace aslant
