// A tree grown in pieces: what each place says of its rows, and what is decided from all of them.

#include "bindings/growing.hpp"
#include "grow.hpp"
#include "line_bins.hpp"
#include "partition.hpp"
#include "rng.hpp"
#include "search/on_sample.hpp"

namespace aslant {

namespace {

std::vector<std::int32_t> checked_nodes(const Array<std::int32_t>& node, const Problem& problem,
                                        int n_nodes) {
  require(node.ndim() == 1 && node.size() == problem.data().table.n_rows,
          "node must hold the node of each row");
  for (py::ssize_t i = 0; i < node.size(); ++i)
    require(node.data()[i] < n_nodes, "there is no such node");
  return to_vector(node);
}

// The facts of every node, a row of numbers each; rows of a node below 0 count nowhere.
py::array gather_facts(const Problem& problem, const Array<std::int32_t>& node, int n_nodes) {
  const std::vector<std::int32_t> node_of = checked_nodes(node, problem, n_nodes);
  std::vector<NodeFacts> facts(n_nodes, NodeFacts(problem.data()));
  std::vector<double> numbers;
  {
    const WithoutInterpreterLock no_lock;
    for (std::uint32_t row : problem.rows())
      if (node_of[row] >= 0) facts[node_of[row]].add(problem, row);
    for (const NodeFacts& one : facts) {
      const std::vector<double> of_one = one.numbers();
      numbers.insert(numbers.end(), of_one.begin(), of_one.end());
    }
  }
  const auto length = static_cast<py::ssize_t>(NodeFacts(problem.data()).size());
  return moved_to_array(std::move(numbers), {n_nodes, length});
}

Lots lots_of(const Problem& problem, std::uint64_t key, std::int64_t wanted, int present) {
  require(wanted >= 1, "a sample needs at least one row");
  const auto rows = static_cast<std::size_t>(wanted);
  if (present < 0) return Lots::first(key, rows);
  const Target& target = problem.data().target;
  return Lots::second(key, rows, std::max(1, present), target.has_classes() ? target.n_classes : 0);
}

// The rows that may be in the samples of nodes: (row, node, lot). `present` is the number of
// classes at each node for the second sample, -1 for the first.
py::tuple draw_lots(const Problem& problem, const Array<std::int32_t>& node,
                    const Array<std::uint64_t>& keys, std::int64_t wanted,
                    const Array<std::int32_t>& present) {
  const auto n_nodes = static_cast<int>(keys.size());
  require(present.size() == keys.size(), "present must hold a number for each node");
  const std::vector<std::int32_t> node_of = checked_nodes(node, problem, n_nodes);
  std::vector<Lots> lots;
  for (int i = 0; i < n_nodes; ++i)
    lots.push_back(lots_of(problem, keys.data()[i], wanted, present.data()[i]));
  std::vector<std::int64_t> rows;
  std::vector<std::int32_t> nodes;
  std::vector<std::uint64_t> drawn;
  {
    const WithoutInterpreterLock no_lock;
    const Target& target = problem.data().target;
    for (std::uint32_t row : problem.rows())
      if (node_of[row] >= 0)
        lots[node_of[row]].add(row, problem.data().number_of(row),
                               target.has_classes() ? target.label[row] : 0);
    for (int i = 0; i < n_nodes; ++i)
      for (const Lots::Drawn& one : lots[i].drawn()) {
        rows.push_back(one.row);
        nodes.push_back(i);
        drawn.push_back(one.lot);
      }
  }
  return py::make_tuple(moved_to_array(std::move(rows)), moved_to_array(std::move(nodes)),
                        moved_to_array(std::move(drawn)));
}

// Some rows of a node, and what is known of all.
struct Piece {
  Piece(const std::shared_ptr<Problem>& of, const Array<double>& numbers)
      : problem(of), facts(of->data(), numbers.data(), static_cast<std::size_t>(numbers.size())) {}

  std::shared_ptr<Problem> problem;
  NodeFacts facts;

  NodePointer node(const std::vector<std::uint32_t>& rows, bool as_sample, bool free) const {
    const ChildLimits limits = free ? ChildLimits{} : problem->rules().limits;
    return std::make_shared<const Node>(
        problem, rows, facts,
        as_sample ? problem->statistics(rows.data(), rows.size()) : facts.statistics(), limits);
  }
  // All rows as far as they are known, which none is.
  NodePointer whole() const { return node({}, false, false); }
};

std::vector<std::uint32_t> rows_or_none(const Array<std::int64_t>& rows, std::int64_t n_rows) {
  return rows.size() == 0 ? std::vector<std::uint32_t>{} : checked_rows(rows, n_rows);
}

Split split_of(const Node& node, const Array<double>& vectors, const Array<double>& offsets) {
  require(vectors.ndim() == 2 && vectors.shape(1) == node.n_columns() &&
              vectors.shape(0) == offsets.size() && offsets.size() >= 1,
          "a split needs an offset for each vector, and a coefficient for each column");
  Split split;
  split.offsets = to_vector(offsets);
  for (int j = 0; j < node.n_columns(); ++j) {
    bool used = false;
    for (py::ssize_t v = 0; v < offsets.size(); ++v) used = used || vectors.at(v, j) != 0.0;
    if (used) split.columns.push_back(j);
  }
  for (py::ssize_t v = 0; v < offsets.size(); ++v)
    for (int j : split.columns) split.coefs.push_back(vectors.at(v, j));
  return split;
}

py::array vectors_of(const Node& node, const Split& split) {
  const auto width = static_cast<std::size_t>(node.n_columns());
  std::vector<double> dense(split.n_vectors() * width, 0.0);
  for (int v = 0; v < split.n_vectors(); ++v)
    for (std::size_t c = 0; c < split.columns.size(); ++c)
      dense[v * width + split.columns[c]] = split.coefs[v * split.columns.size() + c];
  return to_array(dense, {split.n_vectors(), static_cast<py::ssize_t>(width)});
}

// What a search proposes, having seen the sample that the problem's rows are.
py::tuple propose(const Piece& piece, const Search& search, std::uint64_t key, int depth,
                  bool second) {
  const NodePointer sample = piece.node(piece.problem->rows(), true, second);
  const NodePointer whole = piece.whole();
  std::vector<Proposal> found;
  std::atomic<std::int64_t> hyperplanes{0};
  {
    const WithoutInterpreterLock no_lock;
    Supervisor supervisor;
    ThreadPool pool(1, supervisor);
    const SearchContext context{key, pool, supervisor, hyperplanes, depth};
    found = search.propose(sample, context.below(second ? 2 : 1));
  }
  const std::vector<const Search*> parts = search.parts();
  py::list proposals;
  for (const Proposal& proposal : found) {
    const ChildLimits limits = proposal.by->limits_at(*whole);
    py::dict one;
    one["vectors"] = vectors_of(*sample, proposal.split);
    one["offsets"] = to_array(proposal.split.offsets);
    one["part"] = std::find(parts.begin(), parts.end(), proposal.by) - parts.begin();
    one["keeps_empty"] = proposal.split.keeps_empty;
    one["own_finish"] = proposal.by->has_own_finish();
    one["limits"] = py::make_tuple(limits.rows, limits.weight);
    if (proposal.split.n_vectors() == 1)
      one["places"] = to_array(sample->columns().projection(direction_of(*sample, proposal.split)));
    proposals.append(one);
  }
  return py::make_tuple(proposals, hyperplanes.load());
}

py::array places_of(const Piece& piece, const Array<std::int64_t>& rows,
                    const Array<double>& coef) {
  const auto chosen = rows_or_none(rows, piece.problem->data().table.n_rows);
  const auto direction = finite_vector(coef, piece.problem->data().columns.size(), "coef");
  const WithoutInterpreterLock no_lock;
  std::vector<double> places = piece.node(chosen, false, false)->columns().projection(direction);
  const py::gil_scoped_acquire gil;
  return moved_to_array(std::move(places));
}

// Rows and statistics of the children of a machine, in the units of the columns.
py::array children(const Piece& piece, const Array<std::int64_t>& rows,
                   const Array<double>& vectors, const Array<double>& offsets) {
  const auto chosen = rows_or_none(rows, piece.problem->data().table.n_rows);
  const NodePointer node = piece.node(chosen, false, false);
  const Split split = split_of(*node, vectors, offsets);
  std::vector<double> numbers;
  for (const Part& part : children_of(*node, split)) {
    numbers.push_back(static_cast<double>(part.rows));
    numbers.insert(numbers.end(), part.statistics.begin(), part.statistics.end());
  }
  return to_array(numbers, {split.n_children(),
                            static_cast<py::ssize_t>(1 + node->target().statistics().size())});
}

double machine_score(const Piece& piece, const Array<double>& parts) {
  const NodePointer whole = piece.whole();
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

// The test in the units of the input, or nothing if it cannot be written in them.
py::object settle(const Piece& piece, const Array<double>& vectors, const Array<double>& offsets) {
  const NodePointer whole = piece.whole();
  Split split = split_of(*whole, vectors, offsets);
  if (split.columns.empty() || !split.finite()) return py::none();
  split = whole->columns().in_input_units(std::move(split));
  if (!split.finite()) return py::none();
  KeptTest test;
  keep_test(
      split, piece.problem->data().columns, [&](int column) { return whole->fill(column); }, test);
  py::dict arrays;
  arrays["start"] = to_array(test.start);
  arrays["column"] = to_array(test.column);
  arrays["coef"] = to_array(test.coef);
  arrays["fill"] = to_array(test.fill);
  arrays["offset"] = to_array(test.offset);
  return arrays;
}

std::vector<double> centre_of_piece(const Piece& piece) {
  std::vector<double> centre;
  const Target& target = piece.problem->data().target;
  const std::vector<double> statistics = piece.facts.statistics();
  const bool centred = piece.problem->rules().criterion == CriterionKind::squared_error;
  for (int q = 0; q < target.n_outputs; ++q)
    centre.push_back(centred ? centre_of(statistics[q + 1] / statistics[0], piece.facts.low(q),
                                         piece.facts.high(q))
                             : 0.0);
  return centre;
}

// Whether the node may be divided, by all stopping rules but those that ask the split.
bool may_divide(const Piece& piece, int depth, std::int64_t max_depth,
                std::int64_t min_samples_split) {
  const NodePointer whole = piece.whole();
  return may_be_divided(stopping_rules(max_depth, min_samples_split, 0.0, 0),
                        piece.problem->rules().limits, depth, piece.facts.rows(),
                        whole->target().total_weight()) &&
         !piece.facts.is_pure();
}

bool allows(const Piece& piece, const Array<double>& child) {
  const bool classes = piece.problem->data().target.has_classes();
  const NodeFacts facts(piece.problem->data(), child.data(),
                        static_cast<std::size_t>(child.size()));
  double weight = 0.0;
  const std::vector<double> statistics = facts.statistics();
  for (std::size_t k = 0; k < (classes ? statistics.size() : 1); ++k) weight += statistics[k];
  return piece.problem->rules().limits.allow(facts.rows(), weight * (1.0 + 1e-9));
}

LinearTest test_of(const py::dict& arrays, KeptTest& kept, const Columns& columns) {
  kept.start = to_vector(arrays["start"].cast<Array<std::int64_t>>());
  kept.column = to_vector(arrays["column"].cast<Array<std::int32_t>>());
  kept.coef = to_vector(arrays["coef"].cast<Array<double>>());
  kept.fill = to_vector(arrays["fill"].cast<Array<double>>());
  kept.offset = to_vector(arrays["offset"].cast<Array<double>>());
  const auto n = static_cast<std::int64_t>(kept.column.size());
  require(kept.start.size() == kept.offset.size() + 1 && !kept.offset.empty() &&
              kept.coef.size() == kept.column.size() && kept.fill.size() == kept.column.size() &&
              kept.start.front() == 0 && kept.start.back() == n,
          "these are not the arrays of a test");
  for (std::size_t v = 0; v + 1 < kept.start.size(); ++v)
    require(kept.start[v] <= kept.start[v + 1], "these are not the arrays of a test");
  for (std::int32_t column : kept.column)
    require(column >= 0 && column < columns.size(), "there is no such column");
  kept.find_runs_in(columns);
  return kept.view();
}

py::array send(const Problem& problem, const py::dict& test, const Array<std::int64_t>& rows) {
  const auto chosen = rows_or_none(rows, problem.data().table.n_rows);
  KeptTest kept;
  const LinearTest view = test_of(test, kept, problem.data().columns);
  std::vector<std::int32_t> child(chosen.size());
  {
    const WithoutInterpreterLock no_lock;
    if (!chosen.empty())
      send_rows(view, problem.data().table, problem.data().columns, chosen.data(), chosen.size(),
                child.data());
  }
  return moved_to_array(std::move(child));
}

py::tuple impurity_sum_of(const Problem& problem, const Array<double>& means,
                          const Array<std::int64_t>& rows) {
  const auto chosen = rows_or_none(rows, problem.data().table.n_rows);
  require(means.size() == problem.data().target.n_outputs, "there must be a mean for each output");
  const AccurateSum sum = impurity_sum(problem, to_vector(means), chosen.data(), chosen.size());
  return py::make_tuple(sum.sum(), sum.lost());
}

LineRow row_at(const Target& target, double at, std::int64_t number, std::size_t row) {
  LineRow one{at, static_cast<std::uint64_t>(number)};
  one.weight = target.weight_of(static_cast<std::int64_t>(row));
  if (target.has_classes())
    one.label = target.label[row];
  else
    one.numbers = &target.number[row * static_cast<std::size_t>(target.n_outputs)];
  return one;
}

void add_rows(LineBins& bins, const Problem& problem, const Array<std::int64_t>& rows,
              const Array<double>& places) {
  const auto chosen = rows_or_none(rows, problem.data().table.n_rows);
  require(static_cast<std::size_t>(places.size()) == chosen.size(), "a row has one place");
  const WithoutInterpreterLock no_lock;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    bins.add(row_at(problem.data().target, places.data()[i], 0, chosen[i]));
}

py::array candidates_of(const LineBins& bins, const std::string& criterion,
                        std::pair<std::int64_t, double> limits) {
  const std::vector<char> found =
      bins.candidates(criterion_from_name(criterion), checked_limits(limits.first, limits.second));
  std::vector<std::uint8_t> flags(found.begin(), found.end());
  return to_array(flags);
}

// Which of the places lie in candidates that need their rows.
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
  Target target;
  if (n_classes > 0) {
    target.n_classes = n_classes;
    target.label = checked_labels(y, n, n_classes);
  } else {
    const auto numbers = y.cast<Array<double>>();
    require(numbers.shape(0) == n, "a target for each row");
    target.n_outputs = numbers.ndim() == 1 ? 1 : static_cast<int>(numbers.shape(1));
    target.number = to_vector(numbers);
  }
  target.weight = checked_weights(weight, n);
  std::vector<LineRow> rows;
  for (std::int64_t i = 0; i < n; ++i)
    rows.push_back(row_at(target, places.data()[i], number.data()[i], static_cast<std::size_t>(i)));
  const auto best =
      bins.best(criterion_from_name(criterion), checked_limits(limits.first, limits.second),
                {candidates.data(), candidates.data() + candidates.size()}, std::move(rows));
  if (!best) return py::none();
  return py::make_tuple(best->alpha, best->score, bins.rows_up_to(best->alpha));
}

// The search's own finish of a line, or of a category: the problem's only feature.
py::object own_finish(const std::shared_ptr<Problem>& problem, const Search& search, int part) {
  const std::vector<const Search*> parts = search.parts();
  require(part >= 0 && part < static_cast<int>(parts.size()), "there is no such part");
  const std::shared_ptr<Node> node = whole_node(problem);
  std::optional<Split> split;
  {
    const WithoutInterpreterLock no_lock;
    if (!node->columns().groups().empty()) {
      split = parts[part]->finish_on_category(*node, node->columns().groups()[0]);
    } else {
      const double* places = node->column(0);
      split = parts[part]->finish_on_line(*node->with_columns({places, places + node->n_rows()}));
    }
  }
  if (!split) return py::none();
  return py::make_tuple(vectors_of(*node, *split), to_array(split->offsets), split->score);
}

// Sums of the squared distances of every column's present values from their means, with what
// rounding lost; and the weights of these values.
py::tuple squares_about(const Problem& problem, const Array<double>& means) {
  const Data& data = problem.data();
  const auto n_columns = static_cast<std::size_t>(data.columns.size());
  const std::vector<double> mean = finite_vector(means, n_columns, "means");
  std::vector<double> numbers, weights;
  for (int j = 0; j < data.columns.size(); ++j) {
    AccurateSum squares, weight;
    for (std::uint32_t row : problem.rows()) {
      const double x = data.table.at(row, data.columns.feature[j]);
      if (std::isnan(x)) continue;
      const int level = data.columns.level[j];
      const double distance = (level < 0 ? x : (x == level ? 1.0 : 0.0)) - mean[j];
      squares.add(distance * distance, problem.weight_of(row));
      weight.add(problem.weight_of(row), 1.0);
    }
    numbers.insert(numbers.end(), {squares.sum(), squares.lost()});
    weights.insert(weights.end(), {weight.sum(), weight.lost()});
  }
  const std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(n_columns), 2};
  return py::make_tuple(to_array(numbers, shape), to_array(weights, shape));
}

// The square root of such a sum over the weight.
double deviation_of(std::pair<double, double> squares, std::pair<double, double> weight) {
  AccurateSum sum, all;
  sum.add_sum(squares.first, squares.second);
  all.add_sum(weight.first, weight.second);
  return all.value() == 0.0 ? 0.0 : std::sqrt(sum.over(all.value()));
}

// Keys of the rows by their content, equal for equal rows.
py::array content_keys(const Problem& problem) {
  const Table& table = problem.data().table;
  std::vector<std::uint64_t> keys;
  for (std::uint32_t row : problem.rows()) keys.push_back(row_key(table, row));
  return moved_to_array(std::move(keys));
}

void bind_lines(py::module_& module) {
  module.def("line_edges", [](const Array<double>& places, std::size_t n_bins) {
    require(places.size() > 0 && n_bins >= 2, "edges need places, and two bins at least");
    return to_array(edges_between(to_vector(places), n_bins));
  });
  module.attr("LINE_BINS") = kLineBins;
  py::class_<LineBins>(module, "LineBins")
      .def(py::init([](int n_classes, const Array<double>& centre, const Array<double>& edges) {
             return LineBins(LineTarget{n_classes, to_vector(centre)}, to_vector(edges));
           }),
           py::arg("n_classes"), py::arg("centre"), py::arg("edges"))
      .def("add", &add_rows, py::arg("problem"), py::arg("rows"), py::arg("places"))
      .def("add_numbers",
           [](LineBins& bins, const Array<double>& numbers) {
             bins.add_numbers(numbers.data(), static_cast<std::size_t>(numbers.size()));
           })
      .def("numbers", [](const LineBins& bins) { return moved_to_array(bins.numbers()); })
      .def("candidates", &candidates_of, py::arg("criterion"), py::arg("limits"))
      .def("wanted_rows", &wanted_rows, py::arg("candidates"), py::arg("places"))
      .def("best", &best_of_bins, py::arg("criterion"), py::arg("limits"), py::arg("candidates"),
           py::arg("places"), py::arg("number"), py::arg("y"), py::arg("weight"),
           py::arg("n_classes"));
}

}  // namespace

void bind_pieces(py::module_& module) {
  bind_lines(module);
  module.def("gather_facts", &gather_facts, py::arg("problem"), py::arg("node"),
             py::arg("n_nodes"));
  module.def("draw_lots", &draw_lots, py::arg("problem"), py::arg("node"), py::arg("keys"),
             py::arg("wanted"), py::arg("present"));
  module.def(
      "lots_wanted",
      [](const Problem& problem, std::int64_t wanted, int present) {
        return lots_of(problem, 0, wanted, present).wanted();
      },
      py::arg("problem"), py::arg("wanted"), py::arg("present"));
  py::class_<Piece>(module, "Piece")
      .def(py::init<const std::shared_ptr<Problem>&, const Array<double>&>(), py::arg("problem"),
           py::arg("facts"), py::keep_alive<1, 2>())
      .def_property_readonly("rows", [](const Piece& piece) { return piece.facts.rows(); })
      .def_property_readonly("statistics",
                             [](const Piece& piece) { return to_array(piece.facts.statistics()); })
      .def_property_readonly("centre",
                             [](const Piece& piece) { return to_array(centre_of_piece(piece)); })
      .def("mean", [](const Piece& piece, int column) { return piece.facts.mean(column, 0); })
      .def("may_be_divided", &may_divide, py::arg("depth"), py::arg("max_depth"),
           py::arg("min_samples_split"))
      .def("allows", &allows, py::arg("child"))
      .def("propose", &propose, py::arg("search"), py::arg("key"), py::arg("depth"),
           py::arg("second"))
      .def("places", &places_of, py::arg("rows"), py::arg("coef"))
      .def("children", &children, py::arg("rows"), py::arg("vectors"), py::arg("offsets"))
      .def("machine_score", &machine_score, py::arg("parts"))
      .def("settle", &settle, py::arg("vectors"), py::arg("offsets"));
  module.def("own_finish", &own_finish, py::arg("problem"), py::arg("search"), py::arg("part"));
  module.def("send_rows", &send, py::arg("problem"), py::arg("test"), py::arg("rows"));
  module.def("impurity_sum", &impurity_sum_of, py::arg("problem"), py::arg("means"),
             py::arg("rows"));
  module.def(
      "worth_making",
      [](const std::string& criterion, double score, double share, bool decides,
         double min_impurity_decrease) {
        return worth_making(stopping_rules(-1, 2, min_impurity_decrease, 0),
                            criterion_from_name(criterion), score, share, decides);
      },
      py::arg("criterion"), py::arg("score"), py::arg("share"), py::arg("decides"),
      py::arg("min_impurity_decrease"));
  module.def("squares_about", &squares_about, py::arg("problem"), py::arg("means"));
  module.def("deviation_of", &deviation_of, py::arg("squares"), py::arg("weight"));
  module.def("content_keys", &content_keys, py::arg("problem"));
  module.def("search_decides", [](const Search& search) { return search.decides(); });
  module.def("finishes_on_lines", [](const Search& search) { return search.finishes_on_lines(); });
  module.def("root_key", [](std::uint64_t seed) { return scramble(seed); });
  module.def("child_key",
             [](std::uint64_t key, std::uint64_t child) { return subkey(key, child); });
}

}  // namespace aslant
