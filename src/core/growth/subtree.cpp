#include "growth/subtree.hpp"

#include <algorithm>

namespace aslant {

std::int32_t Subtree::add(const GrowingNode& node, const Split* split) {
  n_vectors_.push_back(split ? split->n_vectors() : 0);
  if (split) {
    for (int v = 0; v < split->n_vectors(); ++v)
      n_terms_.push_back(static_cast<std::int32_t>(split->start[v + 1] - split->start[v]));
    offset_.append(split->offsets.data(), split->offsets.size());
    column_.append(split->columns.data(), split->columns.size());
    coef_.append(split->coefs.data(), split->coefs.size());
    fill_.append(split->fills.data(), split->fills.size());
  }
  statistics_.append(node.statistics.data(), node.statistics.size());
  n_node_samples_.push_back(static_cast<std::uint32_t>(node.n_rows()));
  row_begin_.push_back(node.begin);
  impurity_.push_back(node.impurity);
  gain_.push_back(split ? node.weight * split->score : 0.0);
  parent_.push_back(node.parent);
  return static_cast<std::int32_t>(n_nodes()) - 1;
}

// The tree in preorder, and the parent of each node. Iterative: grafts may nest as deeply as the
// tree.
std::vector<Subtree::Segment> Subtree::segments(std::vector<std::int32_t>& parent) {
  struct Visit {
    Subtree* subtree;
    std::int32_t below;                 // parent of its first node, in the tree
    std::vector<std::int32_t> id = {};  // of its nodes, in the tree
    std::size_t next_graft = 0, vector = 0, term = 0;
  };
  std::vector<Segment> all;
  std::vector<Visit> visits = {{this, -1}};
  while (!visits.empty()) {
    Visit& visit = visits.back();
    Subtree& from = *visit.subtree;
    const bool is_last = visit.next_graft == from.grafts_.size();
    const std::size_t begin = visit.id.size(),
                      end = is_last ? from.n_nodes() : from.grafts_[visit.next_graft].before;
    Segment segment{&from, begin, end, visit.vector, 0, visit.term, 0};
    for (std::size_t node = begin; node < end; ++node) {
      const std::int32_t above = from.parent_[node];
      visit.id.push_back(static_cast<std::int32_t>(parent.size()));
      parent.push_back(above < 0 ? visit.below : visit.id[above]);
      segment.n_vectors += from.n_vectors_[node];
    }
    for (std::size_t v = 0; v < segment.n_vectors; ++v)
      segment.n_terms += from.n_terms_[segment.first_vector + v];
    visit.vector += segment.n_vectors;
    visit.term += segment.n_terms;
    all.push_back(segment);
    if (is_last) {
      from.parent_.clear();
      visits.pop_back();
    } else {
      const Graft& graft = from.grafts_[visit.next_graft++];
      visits.push_back({graft.subtree, visit.id[graft.parent]});
    }
  }
  return all;
}

namespace {

// In preorder, children come in their order.
void set_children(const std::vector<std::int32_t>& parent, GrownTree& tree) {
  std::vector<std::int32_t> n_children(parent.size(), 0);
  for (std::size_t id = 1; id < parent.size(); ++id)
    tree.max_children = std::max(tree.max_children, ++n_children[parent[id]]);
  tree.children.assign(parent.size() * tree.max_children, -1);
  std::fill(n_children.begin(), n_children.end(), 0);
  for (std::size_t id = 1; id < parent.size(); ++id) {
    const auto above = static_cast<std::size_t>(parent[id]);
    tree.children[above * tree.max_children + n_children[above]++] = static_cast<std::int32_t>(id);
  }
}

template <class Index>
std::vector<Index> starts(const std::vector<std::int32_t>& sizes) {
  std::vector<Index> start(sizes.size() + 1, 0);
  for (std::size_t i = 0; i < sizes.size(); ++i) start[i + 1] = start[i] + sizes[i];
  return start;
}

}  // namespace

// Builds one array after the other in its final size: the tree is never held twice, and the arrays
// of a forest leave no gaps in memory.
GrownTree Subtree::finish() {
  GrownTree tree;
  std::vector<std::int32_t> parent;
  const std::vector<Segment> all = segments(parent);
  set_children(parent, tree);
  parent = {};
  std::size_t n_vectors = 0, n_terms = 0, n_all = tree.children.size() / tree.max_children;
  for (const Segment& segment : all) {
    n_vectors += segment.n_vectors;
    n_terms += segment.n_terms;
  }
  const auto collect = [&all](auto array, std::size_t size, auto& out, const auto& range) {
    out.reserve(size);
    for (const Segment& segment : all) {
      const auto [begin, end] = range(segment);
      (segment.subtree->*array).copy_to(out, begin, end);
    }
    for (const Segment& segment : all) (segment.subtree->*array).clear();
  };
  const std::size_t width = top_.statistics.size();
  using Range = std::pair<std::size_t, std::size_t>;
  const auto nodes = [](const Segment& s) { return Range(s.begin, s.end); };
  const auto values = [width](const Segment& s) { return Range(s.begin * width, s.end * width); };
  const auto vectors = [](const Segment& s) {
    return Range(s.first_vector, s.first_vector + s.n_vectors);
  };
  const auto terms = [](const Segment& s) { return Range(s.first_term, s.first_term + s.n_terms); };
  std::vector<std::int32_t> sizes;
  collect(&Subtree::n_vectors_, n_all, sizes, nodes);
  tree.row_start = starts<std::int32_t>(sizes);
  sizes.clear();
  collect(&Subtree::n_terms_, n_vectors, sizes, vectors);
  tree.coef_start = starts<std::int64_t>(sizes);
  sizes = {};
  collect(&Subtree::statistics_, n_all * width, tree.statistics, values);
  collect(&Subtree::n_node_samples_, n_all, tree.n_node_samples, nodes);
  collect(&Subtree::row_begin_, n_all, tree.row_begin, nodes);
  collect(&Subtree::impurity_, n_all, tree.impurity, nodes);
  collect(&Subtree::gain_, n_all, tree.gain, nodes);
  collect(&Subtree::offset_, n_vectors, tree.offset, vectors);
  collect(&Subtree::column_, n_terms, tree.coef_column, terms);
  collect(&Subtree::coef_, n_terms, tree.coef_value, terms);
  collect(&Subtree::fill_, n_terms, tree.coef_fill, terms);
  return tree;
}

}  // namespace aslant
