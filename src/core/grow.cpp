#include "grow.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "arena.hpp"
#include "cut.hpp"
#include "partition.hpp"
#include "view_search.hpp"

namespace aslant {

bool may_be_divided(const StoppingRules& rules, const ChildLimits& limits, int depth,
                    std::int64_t rows, double weight) {
  return depth < rules.max_depth && rows >= rules.min_samples_split &&
         limits.allow(rows / 2, weight / 2.0);
}

bool worth_making(const StoppingRules& rules, CriterionKind criterion, double score, double share,
                  bool decides) {
  if (decides && rules.min_impurity_decrease == 0.0) return true;
  return score >= least_score(criterion) && share * score + 1e-15 >= rules.min_impurity_decrease;
}

AccurateSum impurity_sum(const Problem& problem, const std::vector<double>& means,
                         const std::uint32_t* rows, std::size_t n_rows) {
  const Target& target = problem.data().target;
  const bool poisson = problem.rules().criterion == CriterionKind::poisson;
  AccurateSum sum;
  for (std::size_t i = 0; i < n_rows; ++i) {
    const double* y = &target.number[static_cast<std::size_t>(rows[i]) * target.n_outputs];
    for (int q = 0; q < target.n_outputs; ++q) {
      const double mean = means[q], distance = y[q] - mean;
      const double deviance = y[q] > 0.0 ? y[q] * std::log(y[q] / mean) - distance : mean;
      sum.add(poisson ? deviance : distance * distance, problem.weight_of(rows[i]));
    }
  }
  return sum;
}

void send_rows(const LinearTest& test, const Table& table, const Columns& columns,
               const std::uint32_t* rows, std::size_t n_rows, std::int32_t* child) {
  if (reads_one_category(test, columns)) {
    const LevelOutcomes outcomes = level_outcomes(test, columns);
    for (std::size_t i = 0; i < n_rows; ++i)
      child[i] = outcomes.of(table.at(rows[i], outcomes.feature));
    return;
  }
  constexpr std::size_t kAhead = 4;  // rows that are on their way from memory
  const bool reads_much = test.start[1] - test.start[0] > 4;
  with_layout(table, columns, [&](auto type, auto levels) {
    using T = decltype(type);
    constexpr bool kLevels = decltype(levels)::value;
    if (kLevels && LookedUpPlane::pays(test, columns, n_rows)) {
      LookedUpPlane(test, columns)
          .children_of(
              [&](int feature, const auto& add) {
                const char* base = table.data + feature * table.feature_stride;
                add([base, rows, stride = table.row_stride](std::size_t r) {
                  return static_cast<double>(*reinterpret_cast<const T*>(
                      base + static_cast<std::ptrdiff_t>(rows[r]) * stride));
                });
              },
              n_rows, child);
      return;
    }
    for (std::size_t i = 0; i < n_rows; ++i) {
      if (reads_much) table.prefetch(rows[std::min(i + kAhead, n_rows - 1)]);
      const char* row = table.data + static_cast<std::ptrdiff_t>(rows[i]) * table.row_stride;
      child[i] = child_of<T, kLevels>(test, columns, row, table.feature_stride);
    }
  });
}

namespace {

// A node while the tree is growing. What varies in size lies in arenas.
struct Place {
  std::size_t begin = 0, end = 0;  // its rows, as a range of the shared permutation
  std::uint64_t key =
      0;  // of its random streams: a function of the seed and the path from the root
  std::shared_ptr<const Legacy> legacy;  // of the parent's split
  int depth = 0;
  const double* statistics = nullptr;
  double weight = 0.0, impurity = 0.0;
  LinearTest test{};                      // in input units; that of the place once it has children
  double gain = 0.0;                      // of the test
  bool keeps_empty = false;               // whether it has a child even where no row goes
  std::shared_ptr<const Legacy> bequest;  // what the test leaves to the children
  Place* children = nullptr;              // neighbours, as many as the test has
  int n_children = 0;

  std::size_t n_rows() const { return end - begin; }
};

// Impurity of a node that holds these rows.
double impurity_of(const Problem& problem, const double* statistics, const std::uint32_t* rows,
                   std::size_t n_rows) {
  const Target& target = problem.data().target;
  if (target.has_classes())
    return impurity(problem.rules().criterion, statistics, target.n_classes);
  std::vector<double> means;
  for (int q = 0; q < target.n_outputs; ++q) means.push_back(statistics[q + 1] / statistics[0]);
  return std::max(0.0, impurity_sum(problem, means, rows, n_rows).value() / statistics[0]);
}

// Whether columns and target are numbers, none missing or extreme.
bool all_are_numbers(const Data& data) {
  const std::vector<std::int32_t>& level = data.columns.level;
  return !data.target.has_classes() && NodeInPlace::can_read(data) &&
         std::all_of(level.begin(), level.end(), [](std::int32_t l) { return l < 0; }) &&
         std::none_of(data.has_missing.begin(), data.has_missing.end(),
                      [](char missing) { return missing != 0; });
}

class Grower {
 public:
  Grower(std::shared_ptr<const Problem> problem, const Search& search, const StoppingRules& rules,
         int n_threads, std::function<void(std::int64_t)> look_outside)
      : problem_(std::move(problem)),
        search_(search),
        rules_(rules),
        view_search_(NodeInPlace::can_read(problem_->data())
                         ? dynamic_cast<const ViewSearch*>(&search)
                         : nullptr),
        small_search_(all_are_numbers(problem_->data()) ? search.of_small_nodes() : nullptr),
        features_(problem_->data().columns),
        supervisor_([this, look = std::move(look_outside)] { look(rows_done_); }),
        rows_(problem_->rows()),
        scratch_(rows_.size()),
        pool_(n_threads, supervisor_) {}

  Growth run(const Beginning& beginning) {
    Place root;
    root.end = rows_.size();
    root.key = beginning.key;
    root.depth = beginning.depth;
    measure(root);
    total_weight_ = beginning.total_weight > 0.0 ? beginning.total_weight : root.weight;
    try {
      if (rules_.max_leaf_nodes > 0)
        grow_best_first(root);
      else
        grow_depth_first(root);
    } catch (...) {
      supervisor_.rethrow_cause();
      throw;
    }
    supervisor_.rethrow_cause();
    return flatten(root);
  }

 private:
  int width() const { return problem_->data().target.width(); }

  void measure(Place& place) {
    const std::uint32_t* rows = rows_.data() + place.begin;
    const std::vector<double> sums = problem_->statistics(rows, place.n_rows());
    double* kept = numbers_.take(sums.size());
    std::copy(sums.begin(), sums.end(), kept);
    place.statistics = kept;
    place.weight = problem_->data().target.has_classes()
                       ? std::accumulate(sums.begin(), sums.end(), 0.0)
                       : sums[0];
    place.impurity = impurity_of(*problem_, kept, rows, place.n_rows());
  }

  // Every subtree is a task of its own; the tree does not depend on their order.
  void grow_depth_first(Place& root) {
    pool_.submit([this, &root] { grow_subtree(root); });
    pool_.run();
  }

  void grow_subtree(Place& top) {
    std::vector<Place*> stack = {&top};
    while (!stack.empty()) {
      Place& place = *stack.back();
      stack.pop_back();
      std::shared_ptr<const Node> node;
      if (!find_split(place, &node) || !divide(place, node.get())) {
        rows_done_ += static_cast<std::int64_t>(place.n_rows());
        continue;
      }
      for (int c = place.n_children; c-- > 0;) {
        Place* child = place.children + c;
        if (c > 0 && pool_.size() > 1 && child->n_rows() > kSubtreeWorthSharing)
          pool_.submit([this, child] { grow_subtree(*child); });
        else
          stack.push_back(child);
      }
    }
  }

  // The place whose split promises most is divided next; equal promises in order of creation.
  void grow_best_first(Place& root) {
    struct Promise {
      double gain;
      std::int64_t order;
      Place* place;
      bool operator<(const Promise& other) const {
        return gain < other.gain || (gain == other.gain && order > other.order);
      }
    };
    std::priority_queue<Promise> frontier;
    std::int64_t order = 0, leaves = 1;
    if (find_split(root)) frontier.push({0.0, order++, &root});
    while (!frontier.empty()) {
      Place& place = *frontier.top().place;
      frontier.pop();
      const std::int64_t more = place.test.n_children() - 1;
      if (leaves + more > rules_.max_leaf_nodes || !divide(place)) continue;
      leaves += more;
      std::vector<char> found(place.n_children);
      pool_.for_each(place.n_children, [&](int c) { found[c] = find_split(place.children[c]); });
      for (int c = 0; c < place.n_children; ++c) {
        Place& child = place.children[c];
        if (found[c])
          frontier.push({child.weight * child.gain, order++, &child});
        else
          rows_done_ += static_cast<std::int64_t>(child.n_rows());
      }
    }
  }

  bool is_pure(const Place& place) const {
    if (!problem_->data().target.has_classes()) return predicts_one_value(place);
    return std::count_if(place.statistics, place.statistics + width(),
                         [](double weight) { return weight > 0.0; }) <= 1;
  }

  // Whether all rows have the same numbers: the impurity tells only up to rounding.
  bool predicts_one_value(const Place& place) const {
    const Target& target = problem_->data().target;
    const auto width = static_cast<std::size_t>(target.n_outputs);
    const double* first = &target.number[rows_[place.begin] * width];
    for (std::size_t i = place.begin + 1; i < place.end; ++i)
      if (!std::equal(first, first + width, &target.number[rows_[i] * width])) return false;
    return true;
  }

  bool may_be_divided(const Place& place) const {
    return aslant::may_be_divided(rules_, problem_->rules().limits, place.depth,
                                  static_cast<std::int64_t>(place.n_rows()), place.weight) &&
           !is_pure(place);
  }

  bool worth_making(const Place& place, const Split& split) const {
    return aslant::worth_making(rules_, problem_->rules().criterion, split.score,
                                place.weight / total_weight_, search_.decides());
  }

  // `kept`: the node, if one was made, for divide().
  bool find_split(Place& place, std::shared_ptr<const Node>* kept = nullptr) {
    supervisor_.check();
    if (!may_be_divided(place)) return false;
    if (view_search_) return find_split_in_place(place, *view_search_);
    if (small_search_ && place.n_rows() <= Cutter::kFew)
      return find_split_in_place(place, *small_search_);
    const auto node = std::make_shared<const Node>(
        problem_, rows_.data() + place.begin, place.n_rows(),
        std::vector<double>(place.statistics, place.statistics + width()));
    const SearchContext context{place.key,    pool_,       supervisor_,
                                hyperplanes_, place.depth, place.legacy};
    std::optional<Split> split = search_.find(node, context);
    if (!split || split->columns.empty() || !worth_making(place, *split)) return false;
    place.gain = split->score;
    place.bequest = split->legacy;
    place.keeps_empty = split->keeps_empty;
    const Split in_units = node->columns().in_input_units(std::move(*split));
    if (!in_units.finite()) return false;
    place.test = keep(in_units, *node);
    if (kept) *kept = node;
    return true;
  }

  // The same without a Node, which costs more to make than a small node costs to search.
  bool find_split_in_place(Place& place, const ViewSearch& search) {
    static thread_local Hyperplane found;
    const NodeInPlace node(*problem_, features_, rows_.data() + place.begin, place.n_rows(),
                           place.statistics);
    const SearchContext context{place.key, pool_, supervisor_, hyperplanes_, place.depth, nullptr};
    if (!search.find_in(node, context, found)) return false;
    const Split split = hyperplane(found);
    if (split.columns.empty() || !split.finite() || !worth_making(place, split)) return false;
    place.gain = split.score;
    place.test = keep(split, node);
    return true;
  }

  // The test in the arenas.
  template <class NodeKind>
  LinearTest keep(const Split& split, const NodeKind& node) {
    static thread_local KeptTest kept;
    keep_test(split, problem_->data().columns, [&](int column) { return node.fill(column); }, kept);
    const auto moved = [](auto& arena, const auto& values) {
      auto* place = arena.take(values.size());
      std::copy(values.begin(), values.end(), place);
      return place;
    };
    return {split.n_vectors(),
            moved(starts_, kept.start),
            moved(columns_, kept.column),
            moved(numbers_, kept.coef),
            moved(numbers_, kept.fill),
            moved(numbers_, kept.offset),
            kept.run.empty() ? nullptr : moved(columns_, kept.run)};
  }

  // Sends the rows to the children exactly as prediction will, and makes the children. Rounding may
  // put a row on the other side than the search believed; a child that ends too small undoes it.
  bool divide(Place& place, const Node* node = nullptr) {
    const int n_children = place.test.n_children();
    std::vector<std::int32_t> child_of_row(place.n_rows());
    if (!node || !node->columns().send(place.test, child_of_row.data()))
      route(place, child_of_row.data());
    std::vector<std::size_t> size(n_children, 0);
    std::vector<double> weight(n_children, 0.0);
    for (std::size_t i = 0; i < child_of_row.size(); ++i) {
      ++size[child_of_row[i]];
      weight[child_of_row[i]] += problem_->weight_of(rows_[place.begin + i]);
    }
    for (int c = 0; c < n_children; ++c)
      if (!(place.keeps_empty && size[c] == 0) &&
          !problem_->rules().limits.allow(static_cast<std::int64_t>(size[c]),
                                          weight[c] * (1.0 + 1e-9)))
        return false;
    if (std::count(size.begin(), size.end(), place.n_rows()) > 0) return false;
    std::vector<std::size_t> next(n_children, place.begin);
    for (int c = 1; c < n_children; ++c) next[c] = next[c - 1] + size[c - 1];
    make_children(place, next, size);
    for (std::size_t i = place.begin; i < place.end; ++i)
      scratch_[next[child_of_row[i - place.begin]]++] = rows_[i];
    std::copy(scratch_.begin() + place.begin, scratch_.begin() + place.end,
              rows_.begin() + place.begin);
    for (int c = 0; c < n_children; ++c) {
      if (size[c] > 0)
        measure(place.children[c]);
      else
        measure_as(place, place.children[c]);
    }
    return true;
  }

  // A child that no row takes believes what its parent does, and weighs next to nothing.
  void measure_as(const Place& parent, Place& child) {
    double* kept = numbers_.take(width());
    for (int k = 0; k < width(); ++k) kept[k] = kVanishing * parent.statistics[k];
    child.statistics = kept;
    child.weight = kVanishing * parent.weight;
    child.impurity = parent.impurity;
  }

  void make_children(Place& parent, const std::vector<std::size_t>& begin,
                     const std::vector<std::size_t>& size) {
    parent.n_children = static_cast<int>(size.size());
    parent.children = places_.take(size.size());
    for (int c = 0; c < parent.n_children; ++c) {
      Place& child = parent.children[c];
      child.begin = begin[c];
      child.end = begin[c] + size[c];
      child.depth = parent.depth + 1;
      child.key = subkey(parent.key, static_cast<std::uint64_t>(c));
      child.legacy = parent.bequest;
    }
  }

  void route(const Place& place, std::int32_t* child_of_row) const {
    send_rows(place.test, problem_->data().table, problem_->data().columns,
              rows_.data() + place.begin, place.n_rows(), child_of_row);
  }

  struct Listed {
    const Place* place;
    std::int32_t parent;  // its place in the list; -1 for the root
  };

  // All places in depth-first preorder, whatever the order of growth was.
  static std::vector<Listed> listed(const Place& root) {
    std::vector<Listed> list, stack = {{&root, -1}};
    while (!stack.empty()) {
      const auto id = static_cast<std::int32_t>(list.size());
      list.push_back(stack.back());
      stack.pop_back();
      const Place& place = *list.back().place;
      for (int c = place.n_children; c-- > 0;) stack.push_back({place.children + c, id});
    }
    return list;
  }

  // Places become rows of arrays. These are made in their final sizes: a forest keeps those of many
  // trees, and arrays that grow, or shrink, leave gaps between them.
  Growth flatten(const Place& root) {
    const std::vector<Listed> list = listed(root);
    Growth growth;
    reserve(list, growth);
    growth.row_start.push_back(0);
    growth.coef_start.push_back(0);
    for (const auto& [place, parent] : list) {
      if (place->n_children > 0) append(place->test, growth);
      growth.row_start.push_back(static_cast<std::int32_t>(growth.offset.size()));
      growth.statistics.insert(growth.statistics.end(), place->statistics,
                               place->statistics + width());
      growth.n_node_samples.push_back(static_cast<std::int64_t>(place->n_rows()));
      growth.row_begin.push_back(static_cast<std::int64_t>(place->begin));
      growth.impurity.push_back(place->impurity);
      growth.gain.push_back(place->n_children > 0 ? place->weight * place->gain : 0.0);
    }
    growth.children.assign(list.size() * growth.max_children, -1);
    std::vector<std::int32_t> slot(list.size(), 0);
    for (std::size_t id = 1; id < list.size(); ++id) {
      const auto parent = static_cast<std::size_t>(list[id].parent);
      growth.children[parent * growth.max_children + slot[parent]++] =
          static_cast<std::int32_t>(id);
    }
    growth.rows = std::move(rows_);
    growth.hyperplanes = hyperplanes_;
    return growth;
  }

  void reserve(const std::vector<Listed>& list, Growth& growth) const {
    std::size_t n_vectors = 0, n_coefs = 0;
    for (const auto& [place, parent] : list) {
      growth.max_children = std::max(growth.max_children, place->n_children);
      if (place->n_children == 0) continue;
      n_vectors += place->test.n_vectors;
      n_coefs += place->test.end();
    }
    const auto reserve_all = [](std::size_t size, auto&... arrays) { (arrays.reserve(size), ...); };
    reserve_all(list.size(), growth.n_node_samples, growth.row_begin, growth.impurity, growth.gain);
    reserve_all(n_coefs, growth.coef_column, growth.coef_value, growth.coef_fill);
    growth.row_start.reserve(list.size() + 1);
    growth.coef_start.reserve(n_vectors + 1);
    growth.offset.reserve(n_vectors);
    growth.statistics.reserve(list.size() * width());
  }

  static void append(const LinearTest& test, Growth& growth) {
    const auto before = static_cast<std::int64_t>(growth.coef_value.size());
    growth.coef_column.insert(growth.coef_column.end(), test.column, test.column + test.end());
    growth.coef_value.insert(growth.coef_value.end(), test.coef, test.coef + test.end());
    growth.coef_fill.insert(growth.coef_fill.end(), test.fill, test.fill + test.end());
    growth.offset.insert(growth.offset.end(), test.offset, test.offset + test.n_vectors);
    for (int v = 1; v <= test.n_vectors; ++v) growth.coef_start.push_back(before + test.start[v]);
  }

  static constexpr std::size_t kSubtreeWorthSharing = 200;
  static constexpr double kVanishing = 0x1p-30;

  std::shared_ptr<const Problem> problem_;
  const Search& search_;
  StoppingRules rules_;
  const ViewSearch* view_search_;   // the same search, if it can read rows in place
  const ViewSearch* small_search_;  // the same for few rows, see Search
  FeatureMap features_;
  std::atomic<std::int64_t> rows_done_{0}, hyperplanes_{0};
  Supervisor supervisor_;
  std::vector<std::uint32_t> rows_, scratch_;
  double total_weight_ = 0.0;
  Arena<Place> places_;
  Arena<double> numbers_;
  Arena<std::int32_t> columns_;
  Arena<std::int64_t> starts_;
  ThreadPool pool_;  // the last to be made and the first to end: its threads use all of the above
};

}  // namespace

Growth grow(std::shared_ptr<const Problem> problem, const Search& search,
            const StoppingRules& rules, const Beginning& beginning, int n_threads,
            std::function<void(std::int64_t)> look_outside) {
  return Grower(std::move(problem), search, rules, n_threads, std::move(look_outside))
      .run(beginning);
}

}  // namespace aslant
