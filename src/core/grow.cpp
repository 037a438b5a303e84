#include "grow.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

namespace aslant {

namespace {

// A node while the tree is growing.
struct Place {
  std::size_t begin, end;  // its rows, as a range of the shared permutation
  int depth;
  std::uint64_t key;  // of its random streams: a function of the seed and the path from the root
  std::shared_ptr<const std::vector<double>> legacy;  // of the parent's split
  std::vector<double> class_weight;
  double impurity;
  Split split;               // in input units; the test of the place once it has children
  std::vector<double> fill;  // per column of the split
  std::vector<std::unique_ptr<Place>> children;

  std::size_t n_rows() const { return end - begin; }

  // A chain of a million places must not be destroyed by a million nested calls.
  ~Place() {
    std::vector<std::unique_ptr<Place>> pending = std::move(children);
    while (!pending.empty()) {
      const std::unique_ptr<Place> place = std::move(pending.back());
      pending.pop_back();
      for (auto& child : place->children) pending.push_back(std::move(child));
      place->children.clear();
    }
  }
};

class Grower {
 public:
  Grower(std::shared_ptr<const Problem> problem, const Search& search, const StoppingRules& rules,
         int n_threads, std::function<void(std::int64_t)> look_outside)
      : problem_(std::move(problem)),
        search_(search),
        rules_(rules),
        supervisor_([this, look = std::move(look_outside)] { look(rows_done_); }),
        pool_(n_threads, supervisor_),
        rows_(problem_->table.n_rows),
        scratch_(rows_.size()) {
    std::iota(rows_.begin(), rows_.end(), 0u);
  }

  std::unique_ptr<Place> run(std::uint64_t seed) {
    auto root = std::make_unique<Place>();
    root->begin = 0;
    root->end = rows_.size();
    root->depth = 0;
    root->key = scramble(seed);
    measure(*root);
    total_weight_ = weight_of(*root);
    if (rules_.max_leaf_nodes > 0)
      grow_best_first(*root);
    else
      grow_depth_first(*root);
    return root;
  }

  std::int64_t hyperplanes() const { return hyperplanes_; }

 private:
  static double weight_of(const Place& place) {
    return std::accumulate(place.class_weight.begin(), place.class_weight.end(), 0.0);
  }

  void measure(Place& place) const {
    place.class_weight.assign(problem_->n_classes, 0.0);
    for (std::size_t i = place.begin; i < place.end; ++i)
      place.class_weight[problem_->label[rows_[i]]] += problem_->weight_of(rows_[i]);
    place.impurity = impurity(problem_->criterion, place.class_weight.data(), problem_->n_classes);
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
      if (!find_split(place) || !divide(place)) {
        rows_done_ += static_cast<std::int64_t>(place.n_rows());
        continue;
      }
      for (std::size_t c = place.children.size(); c-- > 0;) {
        Place* child = place.children[c].get();
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
      const std::int64_t more = place.split.n_children() - 1;
      if (leaves + more > rules_.max_leaf_nodes || !divide(place)) continue;
      leaves += more;
      std::vector<char> found(place.children.size());
      pool_.for_each(static_cast<int>(found.size()),
                     [&](int c) { found[c] = find_split(*place.children[c]); });
      for (std::size_t c = 0; c < found.size(); ++c) {
        Place& child = *place.children[c];
        if (found[c])
          frontier.push({weight_of(child) * child.split.score, order++, &child});
        else
          rows_done_ += static_cast<std::int64_t>(child.n_rows());
      }
    }
  }

  bool may_be_divided(const Place& place) const {
    const auto n = static_cast<std::int64_t>(place.n_rows());
    if (place.depth >= rules_.max_depth || n < rules_.min_samples_split ||
        n < 2 * problem_->limits.rows || weight_of(place) < 2.0 * problem_->limits.weight)
      return false;
    return std::count_if(place.class_weight.begin(), place.class_weight.end(),
                         [](double weight) { return weight > 0.0; }) > 1;
  }

  bool worth_making(const Place& place, const Split& split) const {
    if (search_.decides() && rules_.min_impurity_decrease == 0.0) return true;
    return split.score >= least_score(problem_->criterion) &&
           weight_of(place) / total_weight_ * split.score + 1e-15 >= rules_.min_impurity_decrease;
  }

  bool find_split(Place& place) {
    supervisor_.check();
    if (!may_be_divided(place)) return false;
    const auto node =
        std::make_shared<const Node>(problem_, rows_.data() + place.begin, place.n_rows(),
                                     place.class_weight, search_.reads_indicators());
    const SearchContext context{place.key,    pool_,       supervisor_,
                                hyperplanes_, place.depth, place.legacy};
    std::optional<Split> split = search_.find(node, context);
    if (!split || split->columns.empty() || !worth_making(place, *split)) return false;
    place.fill.clear();
    for (std::int32_t column : split->columns) place.fill.push_back(node->fill(column));
    place.split = node->in_input_units(std::move(*split));
    return place.split.finite();
  }

  // Sends the rows to the children exactly as prediction will, and makes the children. Rounding may
  // put a row on the other side than the search believed; a child that ends too small undoes it.
  bool divide(Place& place) {
    const int n_children = place.split.n_children();
    std::vector<std::int32_t> child_of_row(place.n_rows());
    route(place, child_of_row.data());
    std::vector<std::size_t> size(n_children, 0);
    std::vector<double> weight(n_children, 0.0);
    for (std::size_t i = 0; i < child_of_row.size(); ++i) {
      ++size[child_of_row[i]];
      weight[child_of_row[i]] += problem_->weight_of(rows_[place.begin + i]);
    }
    if (*std::min_element(size.begin(), size.end()) <
            static_cast<std::size_t>(problem_->limits.rows) ||
        *std::min_element(weight.begin(), weight.end()) < problem_->limits.weight * (1.0 - 1e-9))
      return false;
    std::vector<std::size_t> next(n_children, place.begin);
    for (int c = 1; c < n_children; ++c) next[c] = next[c - 1] + size[c - 1];
    for (int c = 0; c < n_children; ++c)
      place.children.push_back(make_child(place, c, next[c], size[c]));
    for (std::size_t i = place.begin; i < place.end; ++i)
      scratch_[next[child_of_row[i - place.begin]]++] = rows_[i];
    std::copy(scratch_.begin() + place.begin, scratch_.begin() + place.end,
              rows_.begin() + place.begin);
    for (auto& child : place.children) measure(*child);
    return true;
  }

  std::unique_ptr<Place> make_child(const Place& parent, int c, std::size_t begin,
                                    std::size_t size) const {
    auto child = std::make_unique<Place>();
    child->begin = begin;
    child->end = begin + size;
    child->depth = parent.depth + 1;
    child->key = subkey(parent.key, static_cast<std::uint64_t>(c));
    child->legacy = parent.split.legacy;
    return child;
  }

  void route(const Place& place, std::int32_t* child_of_row) const {
    const Split& split = place.split;
    const auto width = static_cast<std::int64_t>(split.columns.size());
    std::vector<std::int64_t> start(split.n_vectors() + 1);
    std::vector<std::int32_t> column;
    std::vector<double> fill;
    for (int v = 0; v < split.n_vectors(); ++v) {
      start[v + 1] = start[v] + width;
      column.insert(column.end(), split.columns.begin(), split.columns.end());
      fill.insert(fill.end(), place.fill.begin(), place.fill.end());
    }
    const LinearTest test{split.n_vectors(),  start.data(), column.data(),
                          split.coefs.data(), fill.data(),  split.offsets.data()};
    const Table& table = problem_->table;
    with_layout(table, problem_->columns, [&](auto type, auto levels) {
      using T = decltype(type);
      constexpr bool kLevels = decltype(levels)::value;
      for (std::size_t i = place.begin; i < place.end; ++i)
        child_of_row[i - place.begin] = child_of<T, kLevels>(
            test, problem_->columns,
            table.data + static_cast<std::ptrdiff_t>(rows_[i]) * table.row_stride,
            table.feature_stride);
    });
  }

  static constexpr std::size_t kSubtreeWorthSharing = 200;

  std::shared_ptr<const Problem> problem_;
  const Search& search_;
  StoppingRules rules_;
  std::atomic<std::int64_t> rows_done_{0}, hyperplanes_{0};
  Supervisor supervisor_;
  ThreadPool pool_;
  std::vector<std::uint32_t> rows_, scratch_;
  double total_weight_ = 0.0;
};

void append_test(Tree& tree, const Place& place) {
  const std::size_t width = place.split.columns.size();
  const int n_vectors = place.children.empty() ? 0 : place.split.n_vectors();
  for (int v = 0; v < n_vectors; ++v) {
    for (std::size_t c = 0; c < width; ++c) {
      const double coef = place.split.coefs[v * width + c];
      if (coef == 0.0) continue;
      tree.coef_column.push_back(place.split.columns[c]);
      tree.coef_value.push_back(coef);
      tree.coef_fill.push_back(place.fill[c]);
    }
    tree.coef_start.push_back(static_cast<std::int64_t>(tree.coef_value.size()));
    tree.offset.push_back(place.split.offsets[v]);
  }
  tree.row_start.push_back(static_cast<std::int32_t>(tree.offset.size()));
}

// Places become rows of arrays in depth-first preorder, whatever the order of growth was.
Growth flatten(const Place& root, const Problem& problem) {
  Growth growth;
  Tree& tree = growth.tree;
  tree.columns = problem.columns;
  tree.n_features = problem.table.n_features;
  tree.row_start = {0};
  tree.coef_start = {0};
  std::vector<std::pair<const Place*, std::size_t>> stack = {{&root, 0}};  // place, its parent
  std::vector<std::vector<std::int32_t>> children;
  while (!stack.empty()) {
    const auto [place, parent] = stack.back();
    stack.pop_back();
    const auto id = static_cast<std::int32_t>(children.size());
    if (id > 0) children[parent].push_back(id);
    children.emplace_back();
    append_test(tree, *place);
    growth.value.insert(growth.value.end(), place->class_weight.begin(), place->class_weight.end());
    growth.n_node_samples.push_back(static_cast<std::int64_t>(place->n_rows()));
    growth.impurity.push_back(place->impurity);
    tree.max_children = std::max(tree.max_children, static_cast<int>(place->children.size()));
    for (std::size_t c = place->children.size(); c-- > 0;)
      stack.emplace_back(place->children[c].get(), static_cast<std::size_t>(id));
  }
  tree.children.assign(children.size() * tree.max_children, -1);
  for (std::size_t i = 0; i < children.size(); ++i)
    std::copy(children[i].begin(), children[i].end(),
              tree.children.begin() + static_cast<std::ptrdiff_t>(i * tree.max_children));
  return growth;
}

}  // namespace

Growth grow(std::shared_ptr<const Problem> problem, const Search& search,
            const StoppingRules& rules, std::uint64_t seed, int n_threads,
            std::function<void(std::int64_t)> look_outside) {
  Grower grower(problem, search, rules, n_threads, std::move(look_outside));
  const std::unique_ptr<Place> root = grower.run(seed);
  Growth growth = flatten(*root, *problem);
  growth.hyperplanes = grower.hyperplanes();
  return growth;
}

}  // namespace aslant
