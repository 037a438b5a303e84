#include "growth/grow.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <numeric>
#include <queue>

#include "growth/subtree.hpp"
#include "node/partition.hpp"
#include "search/capabilities.hpp"
#include "search/few_rows.hpp"
#include "search/view_search.hpp"
#include "support/buffers.hpp"
#include "support/workspace.hpp"

namespace aslant {

namespace {

// Whether columns and targets are numeric, without missing or extreme values.
bool all_are_numbers(const Problem& problem) {
  const Features& features = problem.features();
  return problem.target().regression() && !features.columns().any_levels() &&
         !features.any_missing() && !features.any_extreme() && !features.table().is_sparse();
}

class Grower {
 public:
  Grower(std::shared_ptr<const Problem> problem, const Search& search, const StoppingRules& rules,
         int n_threads, std::function<void(std::int64_t)> look_outside)
      : problem_(std::move(problem)),
        search_(search),
        rules_(rules),
        view_search_(NodeInPlace::can_read(problem_->features())
                         ? dynamic_cast<const ViewSearch*>(&search)
                         : nullptr),
        small_search_(all_are_numbers(*problem_) ? small_node_search(search) : nullptr),
        features_(problem_->features().columns()),
        supervisor_([this, look = std::move(look_outside)] { look(rows_done_); }),
        rows_(problem_->rows()),
        pool_(n_threads, supervisor_) {}

  GrownTree run(const Beginning& beginning) {
    GrowingNode root;
    root.end = static_cast<std::uint32_t>(rows_.size());
    root.key = beginning.key;
    root.depth = beginning.depth;
    measure(root);
    total_weight_ = beginning.total_weight > 0.0 ? beginning.total_weight : root.weight;
    Subtree& whole = new_subtree(root);
    try {
      if (rules_.max_leaf_nodes > 0)
        grow_best_first(whole);
      else
        grow_depth_first(whole);
    } catch (...) {
      supervisor_.rethrow_cause();
      throw;
    }
    supervisor_.rethrow_cause();
    GrownTree tree = whole.finish();
    tree.rows = std::move(rows_);
    tree.hyperplanes = hyperplanes_;
    return tree;
  }

 private:
  void measure(GrowingNode& node) const {
    const std::uint32_t* rows = rows_.data() + node.begin;
    node.statistics = problem_->statistics(rows, node.n_rows());
    node.weight = problem_->target().weight_in(node.statistics.data());
    node.impurity =
        problem_->target().impurity(*problem_, node.statistics.data(), rows, node.n_rows());
  }

  void grow_depth_first(Subtree& whole) {
    pool_.submit([this, &whole] { grow_subtree(whole); });
    pool_.run();
  }

  // Large subtrees become tasks of their own.
  void grow_subtree(Subtree& subtree) {
    struct Pending {
      GrowingNode node;
      Subtree* elsewhere;  // set if another task grows this subtree
    };
    std::vector<Pending> stack = {{subtree.top(), nullptr}};
    Split split;
    std::vector<GrowingNode> children;
    while (!stack.empty()) {
      const auto [node, elsewhere] = std::move(stack.back());
      stack.pop_back();
      if (elsewhere) {
        subtree.graft(*elsewhere, node.parent);
        continue;
      }
      if (!find_and_divide(node, split, children)) {
        subtree.add(node, nullptr);
        rows_done_ += static_cast<std::int64_t>(node.n_rows());
        continue;
      }
      const std::int32_t id = subtree.add(node, &split);
      for (std::size_t c = children.size(); c-- > 0;) {
        GrowingNode& child = children[c];
        child.parent = id;
        Subtree* shared = nullptr;
        if (c > 0 && pool_.size() > 1 && child.n_rows() > kSubtreeWorthSharing) {
          shared = &new_subtree(child);
          pool_.submit([this, shared] { grow_subtree(*shared); });
        }
        stack.push_back({std::move(child), shared});
      }
    }
  }

  // The grower owns all subtrees: if one task fails, others still write to theirs.
  Subtree& new_subtree(const GrowingNode& top) {
    const std::lock_guard<std::mutex> lock(subtrees_mutex_);
    return subtrees_.emplace_back(top);
  }

  bool find_and_divide(const GrowingNode& node, Split& split, std::vector<GrowingNode>& children) {
    std::shared_ptr<const Node> searched;
    return find_split(node, split, &searched) && divide(node, split, searched.get(), children);
  }

  // Nodes kept until the tree is complete: best-first order differs from array order.
  struct Kept {
    GrowingNode node;
    Split split;
    std::vector<Kept*> children;
  };

  // Divides the node of largest gain next; ties in order of creation.
  void grow_best_first(Subtree& whole) {
    struct Candidate {
      double gain;
      std::int64_t order;
      Kept* kept;
      bool operator<(const Candidate& other) const {
        return gain < other.gain || (gain == other.gain && order > other.order);
      }
    };
    std::deque<Kept> nodes;
    std::priority_queue<Candidate> frontier;
    std::int64_t order = 0, leaves = 1;
    nodes.push_back({whole.top(), {}, {}});
    if (find_split(nodes.front().node, nodes.front().split))
      frontier.push({0.0, order++, &nodes.front()});
    std::vector<GrowingNode> children;
    while (!frontier.empty()) {
      Kept& kept = *frontier.top().kept;
      frontier.pop();
      const std::int64_t more = kept.split.n_children() - 1;
      if (leaves + more > rules_.max_leaf_nodes ||
          !divide(kept.node, kept.split, nullptr, children))
        continue;
      leaves += more;
      for (GrowingNode& child : children) {
        nodes.push_back({std::move(child), {}, {}});
        kept.children.push_back(&nodes.back());
      }
      const auto n_children = static_cast<int>(children.size());
      std::vector<char> found(n_children);
      pool_.for_each(n_children, [&](int c) {
        found[c] = find_split(kept.children[c]->node, kept.children[c]->split);
      });
      for (int c = 0; c < n_children; ++c) {
        Kept* child = kept.children[c];
        if (found[c])
          frontier.push({child->node.weight * child->split.score, order++, child});
        else
          rows_done_ += static_cast<std::int64_t>(child->node.n_rows());
      }
    }
    std::vector<Kept*> stack = {&nodes.front()};
    while (!stack.empty()) {
      Kept& kept = *stack.back();
      stack.pop_back();
      const std::int32_t id = whole.add(kept.node, kept.children.empty() ? nullptr : &kept.split);
      for (std::size_t c = kept.children.size(); c-- > 0;) {
        kept.children[c]->node.parent = id;
        stack.push_back(kept.children[c]);
      }
    }
  }

  bool is_pure(const GrowingNode& node) const {
    return problem_->target().is_pure(node.statistics.data(), rows_.data() + node.begin,
                                      node.n_rows());
  }

  bool may_split(const GrowingNode& node) const {
    return rules_.allow_split(problem_->rules().limits, node.depth,
                              static_cast<std::int64_t>(node.n_rows()), node.weight) &&
           !is_pure(node);
  }

  bool accepts(const GrowingNode& node, const Split& split) const {
    return rules_.accept(problem_->rules().criterion, split.score, node.weight / total_weight_,
                         search_.traits().decides);
  }

  // Whether the node has a split; it is then complete, in input units. `searched` is the node seen
  // by the search, if any: divide() reads its columns.
  bool find_split(const GrowingNode& node, Split& split,
                  std::shared_ptr<const Node>* searched = nullptr) {
    supervisor_.check();
    if (!may_split(node)) return false;
    if (view_search_) return find_split_in_place(node, *view_search_, split);
    if (small_search_ && node.n_rows() <= FewRows::kMostRows)
      return find_split_in_place(node, *small_search_, split);
    const auto shown = std::make_shared<const Node>(problem_, rows_.data() + node.begin,
                                                    node.n_rows(), node.statistics);
    const SearchContext context{node.key,     pool_,      supervisor_,
                                hyperplanes_, node.depth, node.legacy};
    std::optional<Split> found = search_.find(shown, context);
    if (!found || found->is_constant() || !accepts(node, *found)) return false;
    split = shown->columns().in_input_units(std::move(*found));
    if (!split.finite()) return false;
    split.complete(problem_->features().columns(), [&](int column) { return shown->fill(column); });
    if (searched) *searched = shown;
    return true;
  }

  // The same without a Node, whose construction costs more than searching a small node.
  bool find_split_in_place(const GrowingNode& node, const ViewSearch& search, Split& split) {
    const NodeInPlace view(*problem_, features_, rows_.data() + node.begin, node.n_rows(),
                           node.statistics.data());
    const SearchContext context{node.key, pool_, supervisor_, hyperplanes_, node.depth, nullptr};
    if (!search.find_in(view, context, split)) return false;
    split.sort_terms();
    if (split.is_constant() || !split.finite() || !accepts(node, split)) return false;
    split.complete(problem_->features().columns(), [&](int column) { return view.fill(column); });
    return true;
  }

  struct DivideBuffers {
    std::vector<std::int32_t> child;  // of each row
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> size, next;
    std::vector<double> weight;
  };

  // Sends rows to the children exactly as prediction does, and makes the children. Rounding may put
  // a row on another side than the search expected: if a child becomes too small, nothing changes
  // and the node stays a leaf.
  bool divide(const GrowingNode& node, const Split& split, const Node* searched,
              std::vector<GrowingNode>& children) {
    DivideBuffers& buffers = Workspace::get<DivideBuffers>();
    const auto n_children = static_cast<std::size_t>(split.n_children());
    const LinearTest test = split.test();
    std::uint32_t* rows = rows_.data() + node.begin;
    make_room(buffers.child, node.n_rows());
    std::int32_t* child = buffers.child.data();
    if (view_search_ && sends_by_column(test, node.n_rows()))
      send_rows(test, problem_->features().stored_columns(),
                RowPositions(rows, node.n_rows(), problem_->features().table().n_rows),
                node.n_rows(), child);
    else if (!searched || !searched->columns().send(test, child))
      send_rows(test, problem_->features().table(), problem_->features().columns(), rows,
                node.n_rows(), child);
    buffers.size.assign(n_children, 0);
    buffers.weight.assign(n_children, 0.0);
    for (std::size_t i = 0; i < node.n_rows(); ++i) {
      ++buffers.size[child[i]];
      buffers.weight[child[i]] += problem_->weight_of(rows[i]);
    }
    for (std::size_t c = 0; c < n_children; ++c) {
      if (buffers.size[c] == node.n_rows()) return false;
      if (!(split.keeps_empty && buffers.size[c] == 0) &&
          !problem_->rules().limits.allow(static_cast<std::int64_t>(buffers.size[c]),
                                          buffers.weight[c] * (1.0 + 1e-9)))
        return false;
    }
    sort_by_child(rows, node.n_rows(), buffers);
    make_children(node, split, buffers.size, children);
    return true;
  }

  // Whether the stored values of a sparse table decide faster than its rows.
  bool sends_by_column(const LinearTest& test, std::size_t n_rows) const {
    const Features& features = problem_->features();
    if (!features.table().is_sparse() || features.columns().any_levels() || test.n_vectors != 1)
      return false;
    std::int64_t stored = 0;
    for (std::int64_t e = test.begin(); e < test.end(); ++e)
      stored += features.stored_columns().end(test.column[e]) -
                features.stored_columns().begin(test.column[e]);
    return stored < static_cast<std::int64_t>(n_rows) * features.table().n_values() /
                        features.table().n_rows;
  }

  // Stable partition of the rows by child; those of child 0 move in place.
  static void sort_by_child(std::uint32_t* rows, std::size_t n_rows, DivideBuffers& buffers) {
    const std::vector<std::size_t>& size = buffers.size;
    const std::size_t n_others = n_rows - size[0];
    make_room(buffers.rows, n_others);
    buffers.next.assign(size.size(), 0);
    for (std::size_t c = 2; c < size.size(); ++c)
      buffers.next[c] = buffers.next[c - 1] + size[c - 1];
    std::uint32_t* in_place = rows;
    for (std::size_t i = 0; i < n_rows; ++i) {
      const std::int32_t child = buffers.child[i];
      if (child == 0)
        *in_place++ = rows[i];
      else
        buffers.rows[buffers.next[child]++] = rows[i];
    }
    std::copy_n(buffers.rows.begin(), n_others, in_place);
  }

  void make_children(const GrowingNode& parent, const Split& split,
                     const std::vector<std::size_t>& size,
                     std::vector<GrowingNode>& children) const {
    children.assign(size.size(), {});
    std::uint32_t begin = parent.begin;
    for (std::size_t c = 0; c < size.size(); ++c) {
      GrowingNode& child = children[c];
      child.begin = begin;
      child.end = begin += static_cast<std::uint32_t>(size[c]);
      child.depth = parent.depth + 1;
      child.key = subkey(parent.key, c);
      child.legacy = split.legacy;
      if (size[c] > 0)
        measure(child);
      else
        inherit(parent, child);
    }
  }

  // An empty child inherits its parent's statistics, with next to no weight.
  static void inherit(const GrowingNode& parent, GrowingNode& child) {
    child.statistics = parent.statistics;
    for (double& value : child.statistics) value *= kVanishing;
    child.weight = kVanishing * parent.weight;
    child.impurity = parent.impurity;
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
  std::vector<std::uint32_t> rows_;
  double total_weight_ = 0.0;
  std::mutex subtrees_mutex_;
  std::deque<Subtree> subtrees_;
  ThreadPool pool_;  // last member: its threads use all of the above
};

}  // namespace

GrownTree grow(std::shared_ptr<const Problem> problem, const Search& search,
               const StoppingRules& rules, const Beginning& beginning, int n_threads,
               std::function<void(std::int64_t)> look_outside) {
  if (problem->features().table().is_sparse() && !search.traits().reads_sparse)
    throw std::invalid_argument("X is sparse, which this search cannot read");
  return Grower(std::move(problem), search, rules, n_threads, std::move(look_outside))
      .run(beginning);
}

}  // namespace aslant
