// The searches, and searches written in Python.

#include <map>

#include "bindings/boundary.hpp"
#include "search/axis_parallel.hpp"
#include "search/best_of.hpp"
#include "search/c45.hpp"
#include "search/cart_lc.hpp"
#include "search/mml.hpp"
#include "search/oc1.hpp"
#include "search/sadt.hpp"
#include "search/standardize.hpp"

namespace aslant {

namespace {

// A search written in Python, called back through the same interface.
class PythonSearch : public Search {
 public:
  explicit PythonSearch(py::object search) : search_(std::move(search)) {}
  ~PythonSearch() override {
    const py::gil_scoped_acquire gil;
    search_ = py::object();
  }
  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override {
    const py::gil_scoped_acquire gil;
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

template <class Enum>
Enum choice(const std::string& value, const std::map<std::string, Enum>& choices) {
  const auto found = choices.find(value);
  require(found != choices.end(), "unknown option '" + value + "'");
  return found->second;
}

std::shared_ptr<Mml> make_mml(const std::string& strategy, int max_features, int features_tried,
                              int restarts, int rounds, double alpha, const std::string& direction,
                              const std::string& position, double min_saving) {
  using Strategy = MmlOptions::Strategy;
  return std::make_shared<Mml>(MmlOptions{
      choice<Strategy>(strategy, {{"sweep", Strategy::sweep}, {"evolution", Strategy::evolution}}),
      max_features, features_tried, restarts, rounds, alpha,
      choice<DirectionCode>(direction,
                            {{"paper", DirectionCode::paper}, {"cap", DirectionCode::cap}}),
      choice<PositionCode>(
          position,
          {{"gap", PositionCode::gap}, {"pair", PositionCode::pair}, {"none", PositionCode::none}}),
      min_saving});
}

std::shared_ptr<OC1> make_oc1(int restarts, int jumps, const std::string& order, int random_moves,
                              const std::string& stagnation, double stagnation_step,
                              std::int64_t min_rows, double axis_bias, bool axis_start,
                              bool perturb_constant, const std::string& start,
                              const std::string& origin, bool legacy_sweep) {
  OC1Options options;
  options.restarts = restarts;
  options.jumps = jumps;
  options.order = choice<OC1Options::Order>(order, {{"sequential", OC1Options::Order::sequential},
                                                    {"best", OC1Options::Order::best},
                                                    {"random", OC1Options::Order::random}});
  options.random_moves = random_moves;
  options.stagnation = choice<OC1Options::Stagnation>(
      stagnation, {{"probability", OC1Options::Stagnation::probability},
                   {"counter", OC1Options::Stagnation::counter}});
  options.stagnation_step = stagnation_step;
  options.min_rows = min_rows;
  options.axis_bias = axis_bias;
  options.axis_start = axis_start;
  options.perturb_constant = perturb_constant;
  options.start =
      choice<OC1Options::Start>(start, {{"faithful", OC1Options::Start::faithful},
                                        {"through_point", OC1Options::Start::through_point}});
  options.origin = choice<OC1Options::Origin>(
      origin, {{"median", OC1Options::Origin::median}, {"original", OC1Options::Origin::original}});
  options.legacy_sweep = legacy_sweep;
  require(restarts >= 1 && jumps >= 0 && random_moves >= 1, "restarts and moves must be positive");
  return std::make_shared<OC1>(options);
}

}  // namespace

void bind_searches(py::module_& module) {
  py::class_<Search, std::shared_ptr<Search>>(module, "Search")
      .def_property_readonly("reads_indicators", &Search::reads_indicators);
  py::class_<AxisParallel, Search, std::shared_ptr<AxisParallel>>(module, "AxisParallel")
      .def(py::init<>());
  py::class_<C45, Search, std::shared_ptr<C45>>(module, "C45")
      .def(py::init<double, bool>(), py::arg("min_cases"), py::arg("threshold_cost"));
  py::class_<OC1, Search, std::shared_ptr<OC1>>(module, "OC1")
      .def(py::init(&make_oc1), py::kw_only(), py::arg("restarts"), py::arg("jumps"),
           py::arg("order"), py::arg("random_moves"), py::arg("stagnation"),
           py::arg("stagnation_step"), py::arg("min_rows"), py::arg("axis_bias"),
           py::arg("axis_start"), py::arg("perturb_constant"), py::arg("start"), py::arg("origin"),
           py::arg("legacy_sweep"));
  py::class_<CartLC, Search, std::shared_ptr<CartLC>>(module, "CARTLC")
      .def(py::init([](bool normalize, std::vector<double> gammas, int max_cycles, double tolerance,
                       double beta, bool univariate) {
             return std::make_shared<CartLC>(CartLCOptions{normalize, std::move(gammas), max_cycles,
                                                           tolerance, beta, univariate});
           }),
           py::kw_only(), py::arg("normalize"), py::arg("gammas"), py::arg("max_cycles"),
           py::arg("tolerance"), py::arg("beta"), py::arg("univariate"));
  py::class_<Mml, Search, std::shared_ptr<Mml>>(module, "MML")
      .def(py::init(&make_mml), py::kw_only(), py::arg("strategy"), py::arg("max_features"),
           py::arg("features_tried"), py::arg("restarts"), py::arg("rounds"), py::arg("alpha"),
           py::arg("direction"), py::arg("position"), py::arg("min_saving"));
  py::class_<Sadt, Search, std::shared_ptr<Sadt>>(module, "SADT")
      .def(py::init([](double temperature, double cooling, std::int64_t patience, bool move_all,
                       double step) {
             return std::make_shared<Sadt>(
                 SadtOptions{temperature, cooling, patience, move_all, step});
           }),
           py::kw_only(), py::arg("temperature"), py::arg("cooling"), py::arg("patience"),
           py::arg("move_all"), py::arg("step"));
  using Inner = std::shared_ptr<Search>;
  py::class_<BestOf, Search, std::shared_ptr<BestOf>>(module, "BestOf")
      .def(py::init([](const std::vector<Inner>& searches) {
        return std::make_shared<BestOf>(
            std::vector<std::shared_ptr<const Search>>(searches.begin(), searches.end()));
      }));
  py::class_<Standardize, Search, std::shared_ptr<Standardize>>(module, "Standardize")
      .def(py::init([](const Inner& search) { return std::make_shared<Standardize>(search); }));
  py::class_<PythonSearch, Search, std::shared_ptr<PythonSearch>>(module, "PythonSearch")
      .def(py::init<py::object>());
}

}  // namespace aslant
