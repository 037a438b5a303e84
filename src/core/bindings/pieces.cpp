// Growing a tree on data in several pieces.

#include "growth/pieces.hpp"

#include "bindings/growing.hpp"
#include "growth/grow.hpp"
#include "support/rng.hpp"

namespace aslant {

namespace {

std::vector<std::int32_t> checked_nodes(const Array<std::int32_t>& node, const Problem& problem,
                                        int n_nodes) {
  require(node.ndim() == 1 && node.size() == problem.features().table().n_rows,
          "node must hold the node of each row");
  for (py::ssize_t i = 0; i < node.size(); ++i)
    require(node.data()[i] < n_nodes, "there is no such node");
  return to_vector(node);
}

// The facts of every node, one row per node.
py::array gather_facts_of(const Problem& problem, const Array<std::int32_t>& node, int n_nodes) {
  const std::vector<std::int32_t> node_of_row = checked_nodes(node, problem, n_nodes);
  std::vector<double> numbers;
  {
    const WithoutInterpreterLock no_lock;
    for (const NodeFacts& facts : gather_facts(problem, node_of_row, n_nodes)) {
      const std::vector<double> of_one = facts.numbers();
      numbers.insert(numbers.end(), of_one.begin(), of_one.end());
    }
  }
  const auto length = static_cast<py::ssize_t>(NodeFacts(problem).size());
  return moved_to_array(std::move(numbers), {n_nodes, length});
}

SampleKeys checked_sample_keys(const Problem& problem, std::uint64_t key, std::int64_t wanted,
                               int present) {
  require(wanted >= 1, "a sample needs at least one row");
  return sample_keys(problem.target(), key, static_cast<std::size_t>(wanted), present);
}

// Candidate rows for the samples of nodes: (row, node, key). `present` is the number of classes at
// each node for the second sample, -1 for the first.
py::tuple draw_samples_of(const Problem& problem, const Array<std::int32_t>& node,
                          const Array<std::uint64_t>& keys, std::int64_t wanted,
                          const Array<std::int32_t>& present) {
  const auto n_nodes = static_cast<int>(keys.size());
  require(present.size() == keys.size(), "present must hold a number for each node");
  const std::vector<std::int32_t> node_of_row = checked_nodes(node, problem, n_nodes);
  std::vector<SampleKeys> samples;
  for (int i = 0; i < n_nodes; ++i)
    samples.push_back(checked_sample_keys(problem, keys.data()[i], wanted, present.data()[i]));
  SampledRows drawn;
  {
    const WithoutInterpreterLock no_lock;
    drawn = draw_samples(problem, node_of_row, std::move(samples));
  }
  return py::make_tuple(moved_to_array(std::move(drawn.row)), moved_to_array(std::move(drawn.node)),
                        moved_to_array(std::move(drawn.key)));
}

std::vector<std::uint32_t> rows_or_none(const Array<std::int64_t>& rows, std::int64_t n_rows) {
  return rows.size() == 0 ? std::vector<std::uint32_t>{} : checked_rows(rows, n_rows);
}

// A split as a dictionary of arrays, in compressed sparse rows; with fills once complete.
py::dict arrays_of_test(const Split& split) {
  py::dict arrays;
  arrays["start"] = to_array(split.start);
  arrays["column"] = to_array(split.columns);
  arrays["coef"] = to_array(split.coefs);
  arrays["offset"] = to_array(split.offsets);
  if (split.fills.size() == split.coefs.size()) arrays["fill"] = to_array(split.fills);
  return arrays;
}

Split split_of(const py::dict& arrays, const Columns& columns) {
  Split split;
  split.start = to_vector(arrays["start"].cast<Array<std::int64_t>>());
  split.columns = to_vector(arrays["column"].cast<Array<std::int32_t>>());
  split.coefs = to_vector(arrays["coef"].cast<Array<double>>());
  split.offsets = to_vector(arrays["offset"].cast<Array<double>>());
  const auto n = static_cast<std::int64_t>(split.columns.size());
  require(split.start.size() == split.offsets.size() + 1 && !split.offsets.empty() &&
              split.coefs.size() == split.columns.size() && split.start.front() == 0 &&
              split.start.back() == n && std::is_sorted(split.start.begin(), split.start.end()),
          "these are not the arrays of a test");
  for (std::int32_t column : split.columns)
    require(column >= 0 && column < columns.size(), "there is no such column");
  return split;
}

// The split that a search proposes for the sample in the problem's rows.
py::tuple proposals_of(const Piece& piece, const Search& search, std::uint64_t key, int depth,
                       bool second) {
  const NodePointer sample =
      piece.sample(piece.problem().rows(), second ? ChildLimits{} : piece.problem().rules().limits);
  const NodePointer whole = piece.without_rows();
  std::vector<Proposal> found;
  std::atomic<std::int64_t> hyperplanes{0};
  {
    const WithoutInterpreterLock no_lock;
    Supervisor supervisor;
    ThreadPool pool(1, supervisor);
    const SearchContext context{key, pool, supervisor, hyperplanes, depth};
    found = aslant::propose(search, sample, context.below(second ? 2 : 1));
  }
  const std::vector<const Search*> parts = parts_of(search);
  py::list proposals;
  for (const Proposal& proposal : found) {
    const ChildLimits limits = proposal.by->limits_at(*whole);
    py::dict one;
    one["test"] = arrays_of_test(proposal.split);
    one["part"] = std::find(parts.begin(), parts.end(), proposal.by) - parts.begin();
    one["keeps_empty"] = proposal.split.keeps_empty;
    one["own_finish"] = dynamic_cast<const OwnFinish*>(proposal.by) != nullptr;
    one["limits"] = py::make_tuple(limits.rows, limits.weight);
    if (proposal.split.n_vectors() == 1)
      one["places"] = to_array(sample->columns().projection(direction_of(*sample, proposal.split)));
    proposals.append(one);
  }
  return py::make_tuple(proposals, hyperplanes.load());
}

// Positions of rows along the normal of a hyperplane.
py::array places_of(const Piece& piece, const Array<std::int64_t>& rows, const py::dict& test) {
  const auto chosen = rows_or_none(rows, piece.problem().features().table().n_rows);
  const Split split = split_of(test, piece.problem().features().columns());
  require(split.n_vectors() == 1, "only a hyperplane has a direction");
  std::vector<double> places;
  {
    const WithoutInterpreterLock no_lock;
    const NodePointer node = piece.node(chosen);
    places = node->columns().projection(direction_of(*node, split));
  }
  return moved_to_array(std::move(places));
}

// Rows and statistics of a machine's children, in column units.
py::array children(const Piece& piece, const Array<std::int64_t>& rows, const py::dict& test) {
  const auto chosen = rows_or_none(rows, piece.problem().features().table().n_rows);
  const NodePointer node = piece.node(chosen);
  const Split split = split_of(test, piece.problem().features().columns());
  std::vector<double> numbers;
  for (const Part& part : children_of(*node, split)) {
    numbers.push_back(static_cast<double>(part.rows));
    numbers.insert(numbers.end(), part.statistics.begin(), part.statistics.end());
  }
  return to_array(numbers, {split.n_children(),
                            static_cast<py::ssize_t>(1 + node->target().statistics().size())});
}

double machine_score(const Piece& piece, const Array<double>& parts) {
  const NodePointer whole = piece.without_rows();
  require(whole->target().has_classes(), "a linear machine needs classes");
  const auto width = whole->target().statistics().size();
  require(parts.ndim() == 2 && static_cast<std::size_t>(parts.shape(1)) == width + 1,
          "a child has rows and statistics");
  std::vector<Part> all;
  for (py::ssize_t c = 0; c < parts.shape(0); ++c) {
    Part part{static_cast<std::int64_t>(parts.at(c, 0)), {}};
    for (std::size_t k = 0; k < width; ++k) part.statistics.push_back(parts.at(c, k + 1));
    all.push_back(std::move(part));
  }
  return score_of(*whole, all);
}

// The test in input units, or nothing if these cannot express it.
py::object completed(const Piece& piece, const py::dict& test) {
  const auto split = piece.completed(split_of(test, piece.problem().features().columns()));
  return split ? py::object(arrays_of_test(*split)) : py::none();
}

bool may_split(const Piece& piece, int depth, std::int64_t max_depth,
               std::int64_t min_samples_split) {
  return piece.may_split(stopping_rules(max_depth, min_samples_split, 0.0, 0), depth);
}

bool allows(const Piece& piece, const Array<double>& child) {
  return piece.allows(
      NodeFacts(piece.problem(), child.data(), static_cast<std::size_t>(child.size())));
}

py::array send(const Problem& problem, const py::dict& test, const Array<std::int64_t>& rows) {
  const Table& table = problem.features().table();
  const Columns& columns = problem.features().columns();
  const auto chosen = rows_or_none(rows, table.n_rows);
  Split split = split_of(test, columns);
  split.fills = to_vector(test["fill"].cast<Array<double>>());
  require(split.fills.size() == split.coefs.size(), "these are not the arrays of a test");
  split.find_runs_in(columns);
  std::vector<std::int32_t> child(chosen.size());
  {
    const WithoutInterpreterLock no_lock;
    if (!chosen.empty())
      send_rows(split.test(), table, columns, chosen.data(), chosen.size(), child.data());
  }
  return moved_to_array(std::move(child));
}

py::tuple impurity_sum_of(const Problem& problem, const Array<double>& means,
                          const Array<std::int64_t>& rows) {
  const auto chosen = rows_or_none(rows, problem.features().table().n_rows);
  const RegressionTarget* target = problem.target().regression();
  require(target != nullptr && means.size() == target->n_outputs(),
          "there must be a mean for each output");
  const AccurateSum sum =
      target->impurity_sum(problem, to_vector(means), chosen.data(), chosen.size());
  return py::make_tuple(sum.sum(), sum.lost());
}

void check_same_target(const LineBins& bins, const Target& target, const char* message) {
  const int n_classes = target.classes() ? target.classes()->n_classes() : 0;
  const int n_outputs = target.regression() ? target.regression()->n_outputs() : 0;
  require(bins.target().n_classes == n_classes && bins.target().n_outputs() == n_outputs, message);
}

void add_rows(LineBins& bins, const Problem& problem, const Array<std::int64_t>& rows,
              const Array<double>& places) {
  const auto chosen = rows_or_none(rows, problem.features().table().n_rows);
  require(static_cast<std::size_t>(places.size()) == chosen.size(), "a row has one place");
  const Target& target = problem.target();
  check_same_target(
      bins, target,
      "the bins and the problem must have the same classes, or the same number of outputs");
  const WithoutInterpreterLock no_lock;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    bins.add(line_row(target, chosen[i], 0, places.data()[i]));
}

py::array candidates_of(const LineBins& bins, const std::string& criterion,
                        std::pair<std::int64_t, double> limits) {
  const std::vector<char> found =
      bins.candidates(CriterionKind(criterion), checked_limits(limits.first, limits.second));
  std::vector<std::uint8_t> flags(found.begin(), found.end());
  return to_array(flags);
}

// Indices of the places in candidate bins that need their rows.
py::array wanted_rows(const LineBins& bins, const Array<std::uint8_t>& candidates,
                      const Array<double>& places) {
  require(static_cast<std::size_t>(candidates.size()) == bins.size(), "a flag for each bin");
  std::vector<std::int64_t> wanted;
  for (py::ssize_t i = 0; i < places.size(); ++i) {
    const std::size_t bin = bins.bin_of(places.data()[i]);
    if (candidates.data()[bin] && bins.needs_rows(bin)) wanted.push_back(i);
  }
  return moved_to_array(std::move(wanted));
}

py::object best_of_bins(const LineBins& bins, const std::string& criterion,
                        std::pair<std::int64_t, double> limits,
                        const Array<std::uint8_t>& candidates, const Array<double>& places,
                        const Array<std::int64_t>& number, const py::object& y,
                        const std::optional<Array<double>>& weight, int n_classes) {
  const auto n = static_cast<std::int64_t>(places.size());
  require(static_cast<std::size_t>(candidates.size()) == bins.size(), "a flag for each bin");
  require(number.size() == n, "a number for each row");
  std::shared_ptr<const Target> target;
  if (n_classes > 0) {
    target = std::make_shared<ClassTarget>(checked_labels(y, n, n_classes), n_classes,
                                           checked_weights(weight, n));
  } else {
    Regression targets = checked_targets(y, n);
    target = std::make_shared<RegressionTarget>(std::move(targets.values), targets.n_outputs,
                                                checked_weights(weight, n));
  }
  check_same_target(
      bins, *target,
      "the bins and the rows must have the same classes, or the same number of outputs");
  std::vector<LineRow> rows;
  for (std::int64_t i = 0; i < n; ++i)
    rows.push_back(line_row(*target, static_cast<std::size_t>(i),
                            static_cast<std::uint64_t>(number.data()[i]), places.data()[i]));
  const auto best =
      bins.best(CriterionKind(criterion), checked_limits(limits.first, limits.second),
                {candidates.data(), candidates.data() + candidates.size()}, std::move(rows));
  if (!best) return py::none();
  return py::make_tuple(best->alpha, best->score, bins.rows_up_to(best->alpha));
}

// A search's own rule for a line or a category: the problem's only feature.
py::object own_finish_of(const std::shared_ptr<Problem>& problem, const Search& search, int part) {
  const std::vector<const Search*> parts = parts_of(search);
  require(part >= 0 && part < static_cast<int>(parts.size()), "there is no such part");
  const auto* own = dynamic_cast<const OwnFinish*>(parts[part]);
  require(own != nullptr, "this search has no finish of its own");
  const std::shared_ptr<Node> node = whole_node(problem);
  std::optional<Split> split;
  {
    const WithoutInterpreterLock no_lock;
    split = own_finish(*node, *own);
  }
  if (!split) return py::none();
  return py::make_tuple(arrays_of_test(*split), split->score);
}

// Per column, the sum of squared deviations from a mean and the sum of weights, each with its
// rounding error.
py::tuple squares_about(const Problem& problem, const Array<double>& means) {
  const auto n_columns = static_cast<std::size_t>(problem.features().columns().size());
  const SpreadSums sums = spread_sums(problem, finite_vector(means, n_columns, "means"));
  const auto pairs = [&](const std::vector<AccurateSum>& of_columns) {
    std::vector<double> numbers;
    for (const AccurateSum& sum : of_columns)
      numbers.insert(numbers.end(), {sum.sum(), sum.lost()});
    return to_array(numbers, {static_cast<py::ssize_t>(n_columns), 2});
  };
  return py::make_tuple(pairs(sums.squares), pairs(sums.weight));
}

// The standard deviation from such a sum and its weight.
double deviation_of(std::pair<double, double> squares, std::pair<double, double> weight) {
  AccurateSum sum, all;
  sum.add_sum(squares.first, squares.second);
  all.add_sum(weight.first, weight.second);
  return all.value() == 0.0 ? 0.0 : std::sqrt(sum.over(all.value()));
}

// Hash keys of the rows: equal for equal rows.
py::array content_keys(const Features& features) {
  std::vector<std::uint64_t> keys;
  for (std::int64_t row = 0; row < features.table().n_rows; ++row)
    keys.push_back(row_key(features.table(), static_cast<std::uint32_t>(row)));
  return moved_to_array(std::move(keys));
}

void bind_lines(py::module_& module) {
  module.def("line_edges", [](const Array<double>& places, std::size_t n_bins) {
    require(places.size() > 0 && n_bins >= 2, "edges need places, and two bins at least");
    return to_array(edges_between(to_vector(places), n_bins));
  });
  module.attr("LINE_BINS") = kLineBins;
  py::class_<LineBins>(module, "LineBins")
      .def(py::init([](int n_classes, const Array<double>& centre, const Array<double>& edges,
                       bool exact) {
             return LineBins(LineTarget{n_classes, to_vector(centre)}, to_vector(edges), exact);
           }),
           py::arg("n_classes"), py::arg("centre"), py::arg("edges"), py::arg("exact") = false)
      .def("add", &add_rows, py::arg("problem"), py::arg("rows"), py::arg("places"))
      .def("add_numbers",
           [](LineBins& bins, const Array<double>& numbers) {
             bins.add_numbers(numbers.data(), static_cast<std::size_t>(numbers.size()));
           })
      .def("numbers", [](const LineBins& bins) { return moved_to_array(bins.numbers()); })
      .def("candidates", &candidates_of, py::arg("criterion"), py::arg("limits"), Computes())
      .def("wanted_rows", &wanted_rows, py::arg("candidates"), py::arg("places"))
      .def("best", &best_of_bins, py::arg("criterion"), py::arg("limits"), py::arg("candidates"),
           py::arg("places"), py::arg("number"), py::arg("y"), py::arg("weight"),
           py::arg("n_classes"), Computes());
}

}  // namespace

void bind_pieces(py::module_& module) {
  bind_lines(module);
  module.def("gather_facts", &gather_facts_of, py::arg("problem"), py::arg("node"),
             py::arg("n_nodes"), Computes());
  module.def("draw_samples", &draw_samples_of, py::arg("problem"), py::arg("node"), py::arg("keys"),
             py::arg("wanted"), py::arg("present"));
  module.def(
      "sample_size",
      [](const Problem& problem, std::int64_t wanted, int present) {
        return checked_sample_keys(problem, 0, wanted, present).wanted();
      },
      py::arg("problem"), py::arg("wanted"), py::arg("present"), Computes());
  py::class_<Piece>(module, "Piece")
      .def(py::init([](const std::shared_ptr<Problem>& problem, const Array<double>& facts) {
             return Piece(problem, facts.data(), static_cast<std::size_t>(facts.size()));
           }),
           py::arg("problem"), py::arg("facts"), Computes())
      .def_property_readonly("rows", [](const Piece& piece) { return piece.facts().rows(); })
      .def_property_readonly(
          "statistics", [](const Piece& piece) { return to_array(piece.facts().statistics()); })
      .def_property_readonly("centre", [](const Piece& piece) { return to_array(piece.centre()); })
      .def("mean",
           [](const Piece& piece, int column) {
             require(column >= 0 && column < piece.problem().features().columns().size(),
                     "there is no such column");
             return piece.facts().mean(column, 0);
           })
      .def("may_split", &may_split, py::arg("depth"), py::arg("max_depth"),
           py::arg("min_samples_split"), Computes())
      .def("allows", &allows, py::arg("child"), Computes())
      .def("propose", &proposals_of, py::arg("search"), py::arg("key"), py::arg("depth"),
           py::arg("second"), Computes())
      .def("places", &places_of, py::arg("rows"), py::arg("test"), Computes())
      .def("children", &children, py::arg("rows"), py::arg("test"), Computes())
      .def("machine_score", &machine_score, py::arg("parts"), Computes())
      .def("completed", &completed, py::arg("test"), Computes());
  module.def("own_finish", &own_finish_of, py::arg("problem"), py::arg("search"), py::arg("part"),
             Computes());
  module.def("send_rows", &send, py::arg("problem"), py::arg("test"), py::arg("rows"), Computes());
  module.def("impurity_sum", &impurity_sum_of, py::arg("problem"), py::arg("means"),
             py::arg("rows"));
  module.def(
      "accepts_split",
      [](const std::string& criterion, double score, double share, bool decides,
         double min_impurity_decrease) {
        return stopping_rules(-1, 2, min_impurity_decrease, 0)
            .accept(CriterionKind(criterion), score, share, decides);
      },
      py::arg("criterion"), py::arg("score"), py::arg("share"), py::arg("decides"),
      py::arg("min_impurity_decrease"));
  module.def("squares_about", &squares_about, py::arg("problem"), py::arg("means"), Computes());
  module.def("deviation_of", &deviation_of, py::arg("squares"), py::arg("weight"));
  module.def("content_keys", &content_keys, py::arg("features"), Computes());
  module.def("reads_sparse", [](const Search& search) { return search.traits().reads_sparse; });
  module.def("search_decides", [](const Search& search) { return search.traits().decides; });
  module.def("finishes_on_lines", [](const Search& search) { return finishes_on_lines(search); });
  module.def("root_key", [](std::uint64_t seed) { return scramble(seed); });
  module.def("child_key",
             [](std::uint64_t key, std::uint64_t child) { return subkey(key, child); });
}

}  // namespace aslant
