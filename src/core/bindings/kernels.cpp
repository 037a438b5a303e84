// The kernels, exposed for tests.

#include "bindings/boundary.hpp"
#include "search/quest_tails.hpp"

namespace aslant {

namespace {

py::object line_search_result(const std::optional<LineOptimum>& best) {
  if (!best) return py::none();
  return py::make_tuple(best->alpha, best->score);
}

// Rows of a sweep, as in a node: classes, or regression targets.
struct Swept {
  Swept(const py::object& y, int n_classes, const std::string& criterion,
        const std::optional<Array<double>>& weight, std::size_t n)
      : kind(CriterionKind(criterion)) {
    require(n > 0 && n < (std::size_t{1} << 31), "there must be between 1 and 2^31 - 1 rows");
    std::vector<double> weights = checked_weights(weight, static_cast<std::int64_t>(n));
    for (double w : weights) require(w > 0.0, "sample weights must be positive");
    std::shared_ptr<const Target> all;
    if (is_regression(kind))
      all = std::make_shared<RegressionTarget>(finite_vector(y.cast<Array<double>>(), n, "y"), 1,
                                               std::move(weights));
    else
      all =
          std::make_shared<ClassTarget>(checked_labels(y, static_cast<std::int64_t>(n), n_classes),
                                        n_classes, std::move(weights));
    const Problem problem(nullptr, all, Rules{kind, {}, false});
    const std::vector<double> statistics = problem.statistics(problem.rows().data(), n);
    target = node_target(problem, problem.rows().data(), n, statistics.data());
  }
  LineSearch search(std::int64_t min_rows, double min_weight) const {
    return {target->sweep_rows(), kind, checked_limits(min_rows, min_weight)};
  }

  CriterionKind kind;
  std::shared_ptr<const NodeTarget> target;
};

py::object line_search(const Array<double>& V, const Array<double>& R, const py::object& y,
                       int n_classes, const std::string& criterion,
                       const std::optional<Array<double>>& weight, std::int64_t min_rows,
                       double min_weight, double tie_tolerance, bool unsigned_sweep,
                       bool few_rows) {
  const auto n = static_cast<std::size_t>(V.size());
  const std::vector<double> v = finite_vector(V, n, "V"), r = finite_vector(R, n, "R");
  const Swept rows(y, n_classes, criterion, weight, n);
  require(tie_tolerance >= 0.0, "tie_tolerance must not be negative");
  const LineSearch search = rows.search(min_rows, min_weight);
  if (few_rows) {
    require(!unsigned_sweep && rows.target->sweep_rows().countable,
            "few rows must be countable, and their direction has a sign");
    std::vector<std::uint32_t> moving;
    std::vector<double> direction;
    for (std::size_t i = 0; i < n; ++i)
      if (r[i] != 0.0) {
        moving.push_back(static_cast<std::uint32_t>(i));
        direction.push_back(r[i]);
      }
    const SweepRows all = rows.target->sweep_rows();
    const GatheredRows gathered(all, moving);
    return line_search_result(search.along_few(v.data(),
                                               {moving, direction.data(), gathered.sweep_rows(all)},
                                               search.counts_of_child0(v.data()), tie_tolerance));
  }
  return line_search_result(
      search.along(v.data(), r.data(), tie_tolerance, kAnyScore, unsigned_sweep));
}

py::object best_threshold_of(const Array<double>& u, const py::object& y, int n_classes,
                             const std::string& criterion,
                             const std::optional<Array<double>>& weight, std::int64_t min_rows,
                             double min_weight, double tie_tolerance) {
  const auto n = static_cast<std::size_t>(u.size());
  const std::vector<double> values = finite_vector(u, n, "u");
  const Swept rows(y, n_classes, criterion, weight, n);
  require(tie_tolerance >= 0.0, "tie_tolerance must not be negative");
  return line_search_result(
      rows.search(min_rows, min_weight).threshold(values.data(), tie_tolerance));
}

CriterionKind class_criterion(const std::string& name) {
  const CriterionKind kind = CriterionKind(name);
  require(!is_regression(kind), name + " does not apply to classes");
  return kind;
}

// Name and task of every named criterion.
std::vector<std::pair<std::string, std::string>> criteria() {
  std::vector<std::pair<std::string, std::string>> all;
  for_each_criterion(AllCriteria(), [&](auto type) {
    using Criterion = typename decltype(type)::type;
    if (!std::is_same_v<Criterion, Custom>)
      all.emplace_back(Criterion::kName,
                       kIsRegression<Criterion> ? "regression" : "classification");
  });
  return all;
}

std::vector<double> class_weights(const Array<double>& weights) {
  std::vector<double> values =
      finite_vector(weights, static_cast<std::size_t>(weights.size()), "class weights");
  require(!values.empty(), "there must be at least one class");
  for (double value : values) require(value >= 0.0, "class weights must not be negative");
  return values;
}

double score(const Array<double>& child0, const Array<double>& child1,
             const std::string& criterion) {
  const std::vector<double> in0 = class_weights(child0), in1 = class_weights(child1);
  require(in0.size() == in1.size(), "both children need a weight for every class");
  double n0 = 0.0, n1 = 0.0;
  std::vector<double> total(in0);
  for (std::size_t k = 0; k < in0.size(); ++k) {
    total[k] += in1[k];
    n0 += in0[k];
    n1 += in1[k];
  }
  const CriterionKind kind = class_criterion(criterion);
  if (!(n0 > 0.0) || !(n1 > 0.0)) return 0.0;
  return partition_score(kind, in0.data(), total.data(), static_cast<int>(total.size()));
}

}  // namespace

void bind_kernels(py::module_& module) {
  module.def("line_search", &line_search, py::arg("V"), py::arg("R"), py::arg("y"),
             py::arg("n_classes"), py::arg("criterion"), py::arg("weight") = py::none(),
             py::arg("min_rows") = 1, py::arg("min_weight") = 0.0, py::arg("tie_tolerance") = 0.0,
             py::arg("unsigned_sweep") = false, py::arg("few_rows") = false, Computes());
  module.def("best_threshold", &best_threshold_of, py::arg("u"), py::arg("y"), py::arg("n_classes"),
             py::arg("criterion"), py::arg("weight") = py::none(), py::arg("min_rows") = 1,
             py::arg("min_weight") = 0.0, py::arg("tie_tolerance") = 0.0, Computes());
  module.def("score", &score, py::arg("child0"), py::arg("child1"), py::arg("criterion"),
             Computes());
  module.def("log_f_tail", &log_f_tail, py::arg("f"), py::arg("freedom1"), py::arg("freedom2"),
             Computes());
  module.def("log_chi_square_tail", &log_chi_square_tail, py::arg("x"), py::arg("freedom"),
             Computes());
  module.def("criteria", &criteria);
  module.def(
      "impurity",
      [](const Array<double>& weights, const std::string& criterion) {
        const std::vector<double> values = class_weights(weights);
        return impurity(class_criterion(criterion), values.data(), static_cast<int>(values.size()));
      },
      py::arg("class_weights"), py::arg("criterion"));
}

}  // namespace aslant
