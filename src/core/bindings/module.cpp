// The module aslant._core.

#include "bindings/boundary.hpp"
#include "bindings/outside_world.hpp"
#include "search/quest_tails.hpp"
#include "support/lapack.hpp"

namespace aslant {

namespace {

template <class Function>
void connect(Function& function, const py::dict& exported, const char* name) {
  const auto capsule = py::reinterpret_borrow<py::capsule>(exported[name]);
  function = reinterpret_cast<Function>(capsule.get_pointer<void>());
}

// A type in the signature of a function exported by Cython.
template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, char*>) return "char *";
  if constexpr (std::is_same_v<T, int*>) return "int *";
  if constexpr (std::is_same_v<T, double*>) return "double *";
}

// Cython's own name for double ends with _d.
std::string with_plain_names(std::string signature) {
  for (std::size_t begin; (begin = signature.find("__pyx_t_")) != std::string::npos;) {
    const std::size_t end = signature.find(' ', begin);
    const bool is_double = signature.compare(end - 2, 2, "_d") == 0;
    signature.replace(begin, end - begin, is_double ? "double" : "other");
  }
  return signature;
}

template <class... Arguments>
std::string signature_of(void (*)(Arguments...)) {
  std::string all;
  for (const std::string& name : {type_name<Arguments>()...})
    all += (all.empty() ? "" : ", ") + name;
  return "void (" + all + ")";
}

// A LAPACK with 64-bit integers has the same names but would overrun 32-bit arrays.
template <class Function>
void connect_checked(Function& function, const py::dict& exported, const char* name) {
  const std::string found =
      with_plain_names(py::reinterpret_borrow<py::capsule>(exported[name]).name());
  if (found != signature_of(function))
    throw py::import_error("SciPy's LAPACK function " + std::string(name) + " has the signature " +
                           found + ", not " + signature_of(function));
  connect(function, exported, name);
}

void connect_lapack() {
  const py::dict exported = py::module_::import("scipy.linalg.cython_lapack").attr("__pyx_capi__");
  connect_checked(Lapack::dsyev, exported, "dsyev");
  connect_checked(Lapack::dsyevr, exported, "dsyevr");
  connect_checked(Lapack::dpstrf, exported, "dpstrf");
  connect_checked(Lapack::dpotrf, exported, "dpotrf");
  connect_checked(Lapack::dtrtrs, exported, "dtrtrs");
}

// Cython exports a fused function once per type, under a numbered name; the signature identifies
// the one for double.
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

// All state of the module is set at import, belongs to a thread, or is atomic.
PYBIND11_MODULE(_core, module, py::mod_gil_not_used()) {
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
  bind_boosting(module);
}

}  // namespace aslant
