// The searches, and searches written in Python.

#include <map>

#include "bindings/boundary.hpp"
#include "learn/least_squares.hpp"
#include "learn/pocket.hpp"
#include "learn/thermal.hpp"
#include "search/axis_parallel.hpp"
#include "search/best_of.hpp"
#include "search/c45.hpp"
#include "search/cart_lc.hpp"
#include "search/crim_coords.hpp"
#include "search/fisher.hpp"
#include "search/fisher_climb.hpp"
#include "search/hhcart.hpp"
#include "search/linear_machine.hpp"
#include "search/mml.hpp"
#include "search/oc1.hpp"
#include "search/on_sample.hpp"
#include "search/pole_pair.hpp"
#include "search/quest.hpp"
#include "search/sadt.hpp"
#include "search/sequential_selection.hpp"
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

std::shared_ptr<SequentialSelection> make_selection(const std::shared_ptr<Search>& search,
                                                    const std::string& method, double accuracy_drop,
                                                    double rows_per_feature, int shortlist,
                                                    double beta) {
  using Method = SelectionOptions::Method;
  const Method chosen = choice<Method>(method, {{"sbe", Method::sbe},
                                                {"sfs", Method::sfs},
                                                {"dsbe", Method::dsbe},
                                                {"hss", Method::hss},
                                                {"cart", Method::cart}});
  return std::make_shared<SequentialSelection>(
      search, SelectionOptions{chosen, accuracy_drop, rows_per_feature, shortlist, beta});
}

void bind_learners(py::module_& module) {
  py::class_<Learner, std::shared_ptr<Learner>>(module, "Learner");
  py::class_<LeastSquares, Learner, std::shared_ptr<LeastSquares>>(module, "LeastSquares")
      .def(py::init([](double variance, double passes) {
             return std::make_shared<LeastSquares>(LeastSquaresOptions{variance, passes});
           }),
           py::kw_only(), py::arg("variance"), py::arg("passes"));
  py::class_<Pocket, Learner, std::shared_ptr<Pocket>>(module, "Pocket")
      .def(
          py::init([](double epsilon, bool ratchet, double passes, double presentations) {
            return std::make_shared<Pocket>(PocketOptions{epsilon, ratchet, passes, presentations});
          }),
          py::kw_only(), py::arg("epsilon"), py::arg("ratchet"), py::arg("passes"),
          py::arg("presentations"));
  py::class_<ThermalTraining, Learner, std::shared_ptr<ThermalTraining>>(module, "ThermalTraining")
      .def(py::init([](double epsilon, double heat, double rate, double step, double calm) {
             return std::make_shared<ThermalTraining>(
                 ThermalOptions{epsilon, heat, rate, step, calm});
           }),
           py::kw_only(), py::arg("epsilon"), py::arg("heat"), py::arg("rate"), py::arg("step"),
           py::arg("calm"));
}

std::shared_ptr<PolePair> make_pole_pair(bool same_class, bool all_thresholds,
                                         const std::string& scale, std::size_t exact_rows,
                                         std::size_t poles) {
  PolePairOptions options;
  options.same_class = same_class;
  options.all_thresholds = all_thresholds;
  options.scale =
      choice<PolePairOptions::Scale>(scale, {{"training", PolePairOptions::Scale::training},
                                             {"raw", PolePairOptions::Scale::raw},
                                             {"node", PolePairOptions::Scale::node}});
  options.exact_rows = exact_rows;
  options.poles = poles;
  require(exact_rows <= PolePairOptions::kMostPoles && poles >= 2 &&
              poles <= PolePairOptions::kMostPoles,
          "exact_rows and poles must not exceed 16384, and poles must be 2 or more");
  return std::make_shared<PolePair>(options);
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
                       bool univariate) {
             return std::make_shared<CartLC>(
                 CartLCOptions{normalize, std::move(gammas), max_cycles, tolerance, univariate});
           }),
           py::kw_only(), py::arg("normalize"), py::arg("gammas"), py::arg("max_cycles"),
           py::arg("tolerance"), py::arg("univariate"));
  py::class_<PolePair, Search, std::shared_ptr<PolePair>>(module, "PolePair")
      .def(py::init(&make_pole_pair), py::kw_only(), py::arg("same_class"),
           py::arg("all_thresholds"), py::arg("scale"), py::arg("exact_rows"), py::arg("poles"));
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
  bind_learners(module);
  py::class_<LinearMachine, Search, std::shared_ptr<LinearMachine>>(module, "LinearMachine")
      .def(py::init([](const std::shared_ptr<Learner>& learner, bool superclasses) {
             return std::make_shared<LinearMachine>(learner, superclasses);
           }),
           py::kw_only(), py::arg("learner"), py::arg("superclasses"));
  py::class_<Fisher, Search, std::shared_ptr<Fisher>>(module, "Fisher")
      .def(py::init([](const std::string& multiclass, bool univariate, double min_cases) {
             using Multiclass = FisherOptions::Multiclass;
             return std::make_shared<Fisher>(FisherOptions{
                 choice<Multiclass>(multiclass, {{"superclasses", Multiclass::superclasses},
                                                 {"one_vs_rest", Multiclass::one_vs_rest}}),
                 univariate, min_cases});
           }),
           py::kw_only(), py::arg("multiclass"), py::arg("univariate"), py::arg("min_cases"));
  py::class_<FisherClimb, Search, std::shared_ptr<FisherClimb>>(module, "FisherClimb")
      .def(py::init([](int max_columns, int cycles, int jumps, double price) {
             return std::make_shared<FisherClimb>(
                 FisherClimbOptions{max_columns, cycles, jumps, price});
           }),
           py::kw_only(), py::arg("max_columns"), py::arg("cycles"), py::arg("jumps"),
           py::arg("price"));
  py::class_<Quest, Search, std::shared_ptr<Quest>>(module, "QUEST")
      .def(py::init([](bool linear, const std::string& split_point, double alpha) {
             require(alpha > 0.0 && alpha <= 1.0, "alpha must be a probability");
             return std::make_shared<Quest>(
                 QuestOptions{linear,
                              choice<SplitPoint>(split_point, {{"lda", SplitPoint::lda},
                                                               {"qda", SplitPoint::qda},
                                                               {"exact", SplitPoint::exact}}),
                              alpha});
           }),
           py::kw_only(), py::arg("linear"), py::arg("split_point"), py::arg("alpha"));
  py::class_<HHCart, Search, std::shared_ptr<HHCart>>(module, "HHCART")
      .def(py::init([](bool dominant, double tau, bool both_signs, int depth_of_reflection,
                       double mis_rate, bool robust, int clusters) {
             return std::make_shared<HHCart>(HHCartOptions{
                 {dominant, robust}, tau, both_signs, depth_of_reflection, mis_rate, clusters});
           }),
           py::kw_only(), py::arg("dominant"), py::arg("tau"), py::arg("both_signs"),
           py::arg("depth_of_reflection"), py::arg("mis_rate"), py::arg("robust"),
           py::arg("clusters"));
  using Inner = std::shared_ptr<Search>;
  py::class_<SequentialSelection, Search, std::shared_ptr<SequentialSelection>>(
      module, "SequentialSelection")
      .def(py::init(&make_selection), py::arg("search"), py::kw_only(), py::arg("method"),
           py::arg("accuracy_drop"), py::arg("rows_per_feature"), py::arg("shortlist"),
           py::arg("beta"));
  py::class_<BestOf, Search, std::shared_ptr<BestOf>>(module, "BestOf")
      .def(py::init([](const std::vector<Inner>& searches) {
        return std::make_shared<BestOf>(
            std::vector<std::shared_ptr<const Search>>(searches.begin(), searches.end()));
      }));
  py::class_<OnSample, Search, std::shared_ptr<OnSample>>(module, "OnSample")
      .def(py::init([](const Inner& search, std::size_t rows) {
             return std::make_shared<OnSample>(search, rows);
           }),
           py::arg("search"), py::arg("rows"));
  py::class_<Standardize, Search, std::shared_ptr<Standardize>>(module, "Standardize")
      .def(py::init([](const Inner& search) { return std::make_shared<Standardize>(search); }))
      .def_property_readonly("search", [](const Standardize& wrapper) {
        return std::const_pointer_cast<Search>(wrapper.search());
      });
  py::class_<CrimCoords, Search, std::shared_ptr<CrimCoords>>(module, "CrimCoords")
      .def(py::init([](const Inner& search) { return std::make_shared<CrimCoords>(search); }));
  py::class_<PythonSearch, Search, std::shared_ptr<PythonSearch>>(module, "PythonSearch")
      .def(py::init<py::object>());
}

}  // namespace aslant
