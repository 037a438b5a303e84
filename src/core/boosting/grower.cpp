#include "boosting/grower.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "boosting/blocks.hpp"
#include "support/rng.hpp"

namespace aslant {

namespace {

// The first n of a random order, ascending.
std::vector<int> drawn(std::vector<int> from, std::size_t n, std::uint64_t key) {
  if (n >= from.size()) return from;
  Rng rng(key);
  for (std::size_t i = 0; i < n; ++i)
    std::swap(from[i], from[i + rng.below(static_cast<int>(from.size() - i))]);
  from.resize(n);
  std::sort(from.begin(), from.end());
  return from;
}

double finite(double x) {
  constexpr double kMost = std::numeric_limits<double>::max();
  return std::min(std::max(x, -kMost), kMost);
}

// Purposes of the random streams of a node.
enum Stream : std::uint64_t { kLeft, kRight, kFeatures, kGroup, kDirection, kRows };

}  // namespace

BoostingGrower::BoostingGrower(BinnedFeatures& binned, const BoostingSettings& settings,
                               ThreadPool& pool, Supervisor& supervisor, Memory& memory)
    : binned_(binned),
      settings_(settings),
      pool_(pool),
      supervisor_(supervisor),
      histograms_(binned, pool),
      features_(binned, settings.rules, settings.monotonic),
      directions_(binned, settings.rules, pool, memory.directions),
      memory_(memory) {
  memory_.rows.resize(binned.n_rows());
  memory_.moved.resize(binned.n_rows());
  memory_.is_left.resize(binned.n_rows());
  // A test of several features has no bound on the value by one of them, so constrained features
  // are tested alone.
  for (int j = 0; j < binned.n_features(); ++j)
    if (binned[j].in_directions && settings.monotonic[j] == 0) direction_features_.push_back(j);
}

BoostedTree BoostingGrower::grow(const Derivatives* of_row, const std::vector<double>& weight,
                                 std::uint64_t key) {
  start(of_row, key);
  const auto worse = [this](int a, int b) {
    const double x = nodes_[a].split.gain, y = nodes_[b].split.gain;
    return x != y ? x < y : a > b;
  };
  std::int64_t n_leaves = 1;
  search(0);
  while (!heap_.empty() && n_leaves != settings_.max_leaf_nodes) {
    supervisor_.check();
    std::pop_heap(heap_.begin(), heap_.end(), worse);
    const int node = heap_.back();
    heap_.pop_back();
    ++n_leaves;
    split(node, n_leaves == settings_.max_leaf_nodes);
    for (const int child : nodes_[node].child) {
      search(child);
      if (!heap_.empty() && heap_.back() == child)
        std::push_heap(heap_.begin(), heap_.end(), worse);
    }
  }
  for (Node& node : nodes_) release(node);
  BoostedTree tree;
  write(0, tree, weight);
  // Decreases stay the same, and none is negative.
  const double least = *std::min_element(tree.impurity.begin(), tree.impurity.end());
  for (double& impurity : tree.impurity) impurity -= least;
  return tree;
}

void BoostingGrower::start(const Derivatives* of_row, std::uint64_t key) {
  binned_.set_derivatives(of_row, pool_);
  std::iota(memory_.rows.begin(), memory_.rows.end(), 0u);
  nodes_.clear();
  heap_.clear();
  nodes_.emplace_back();
  Node& root = nodes_[0];
  root.end = memory_.rows.size();
  root.key = key;
  root.groups.resize(settings_.interaction_groups.size());
  std::iota(root.groups.begin(), root.groups.end(), 0);
  root.histogram = new_histogram();
  histograms_.build(memory_.rows.data(), memory_.rows.size(), *root.histogram);
  const int bins = binned_[0].n_bins + 1;  // any feature has all rows
  for (int b = 0; b < bins; ++b) root.sums.sums += (*root.histogram)[b];
}

bool BoostingGrower::may_split(const Node& node) const {
  return static_cast<double>(node.n_rows()) >= 2.0 * settings_.rules.min_rows &&
         (settings_.max_depth < 0 || node.depth < settings_.max_depth) &&
         node.sums.sums.hessian >= SplitRules::kLeastHessian;
}

// Finds the best test of one feature; the node joins the heap if there is one.
void BoostingGrower::search(int number) {
  Node& node = nodes_[number];
  if (node.histogram == nullptr) return;
  if (may_split(node)) {
    const std::vector<int> features = searched_features(node);
    const Histogram* sibling = node.sibling;
    if (sibling != nullptr && static_cast<int>(features.size()) < binned_.n_features()) {
      subtract_bins(sibling->data(), sibling->size(), node.histogram->data());
      sibling = nullptr;
    }
    node.split = features_.best(node.sums, *node.histogram, sibling, features, pool_);
  }
  if (node.split.found())
    heap_.push_back(number);
  else
    release(node);
}

// Lets a direction compete, for a node that will be split.
void BoostingGrower::search_direction(Node& node) {
  const DirectionSettings& settings = settings_.directions;
  if (settings.n_drawn < 2 || static_cast<std::int64_t>(node.n_rows()) < settings.min_rows) return;
  const std::vector<int> features = direction_features(node);
  if (features.size() < 2) return;
  ++n_directions_;
  node.oblique = directions_.find(node.sums, {&memory_.rows[node.begin], node.n_rows()}, features,
                                  settings.max_features, node.split.gain, subkey(node.key, kRows),
                                  memory_.is_left.data());
}

std::vector<int> BoostingGrower::searched_features(const Node& node) const {
  std::vector<int> features;
  if (settings_.interaction_groups.empty()) {
    features.resize(binned_.n_features());
    std::iota(features.begin(), features.end(), 0);
  } else {
    for (const int group : node.groups) {
      const std::vector<int>& members = settings_.interaction_groups[group];
      features.insert(features.end(), members.begin(), members.end());
    }
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
  }
  const auto n = static_cast<double>(features.size());
  const auto wanted =
      static_cast<std::size_t>(std::max(1.0, std::ceil(settings_.max_features * n)));
  return drawn(std::move(features), wanted, subkey(node.key, kFeatures));
}

// All features of a direction must be in one interaction group.
std::vector<int> BoostingGrower::direction_features(const Node& node) const {
  std::vector<int> features = direction_features_;
  if (!settings_.interaction_groups.empty()) {
    Rng rng(subkey(node.key, kGroup));
    const int chosen = node.groups[rng.below(static_cast<int>(node.groups.size()))];
    const std::vector<int>& group = settings_.interaction_groups[chosen];
    features.erase(
        std::remove_if(features.begin(), features.end(),
                       [&](int j) { return !std::binary_search(group.begin(), group.end(), j); }),
        features.end());
  }
  return drawn(std::move(features), settings_.directions.n_drawn, subkey(node.key, kDirection));
}

std::vector<int> BoostingGrower::groups_below(const Node& node) const {
  const std::vector<int> tested =
      node.oblique.found() ? node.oblique.features : std::vector<int>{node.split.feature};
  std::vector<int> groups;
  for (const int group : node.groups) {
    const std::vector<int>& members = settings_.interaction_groups[group];
    if (std::includes(members.begin(), members.end(), tested.begin(), tested.end()))
      groups.push_back(group);
  }
  return groups;
}

void BoostingGrower::split(int number, bool is_last) {
  search_direction(nodes_[number]);
  divide(number);
  Node &parent = nodes_[number], &left = nodes_[parent.child[0]], &right = nodes_[parent.child[1]];
  if (!is_last && (may_split(left) || may_split(right)))
    build_histograms(parent, left, right);
  else
    release(parent);
}

// Makes the children and moves the rows.
void BoostingGrower::divide(int number) {
  const std::size_t middle = partition(nodes_[number]);
  const auto first = static_cast<int>(nodes_.size());
  nodes_.resize(nodes_.size() + 2);
  Node &parent = nodes_[number], &left = nodes_[first], &right = nodes_[first + 1];
  parent.child[0] = first;
  parent.child[1] = first + 1;
  left.begin = parent.begin;
  left.end = right.begin = middle;
  right.end = parent.end;
  left.depth = right.depth = parent.depth + 1;
  left.key = subkey(parent.key, kLeft);
  right.key = subkey(parent.key, kRight);
  left.groups = right.groups = groups_below(parent);
  left.sums.sums = parent.oblique.found() ? parent.oblique.left : parent.split.left;
  right.sums.sums = parent.sums.sums - left.sums.sums;
  left.sums.value = settings_.rules.value(left.sums.sums, parent.sums.bounds);
  right.sums.value = settings_.rules.value(right.sums.sums, parent.sums.bounds);
  bound(parent, left, right);
  if (!parent.oblique.found() && !binned_[parent.split.feature].has_missing)
    parent.split.missing_left = left.n_rows() > right.n_rows();
}

// Values below a monotonic split stay on their side of the middle.
void BoostingGrower::bound(const Node& parent, Node& left, Node& right) const {
  left.sums.bounds = right.sums.bounds = parent.sums.bounds;
  const int monotonic = parent.oblique.found() ? 0 : settings_.monotonic[parent.split.feature];
  if (monotonic == 0) return;
  const double middle = (left.sums.value + right.sums.value) / 2.0;
  (monotonic > 0 ? left : right).sums.bounds.high = middle;
  (monotonic > 0 ? right : left).sums.bounds.low = middle;
}

// Says which of the rows [begin, end) of a node are child 0 of a test of one feature.
void BoostingGrower::test(const FeatureSplit& split, const std::uint32_t* rows, std::size_t begin,
                          std::size_t end, std::uint8_t* is_left) const {
  constexpr std::size_t kRowsAhead = 16;
  for (std::size_t i = begin; i < end; ++i) {
    if (i + kRowsAhead < end) ASLANT_PREFETCH(binned_.record(rows[i + kRowsAhead]) + split.feature);
    is_left[i] = split.goes_left[binned_.record(rows[i])[split.feature]];
  }
}

// Sorts the rows of a node by child, in their order; returns where child 1 begins.
std::size_t BoostingGrower::partition(Node& node) {
  const std::size_t n = node.n_rows();
  const std::uint32_t* rows = &memory_.rows[node.begin];
  std::vector<std::size_t> n_left(n_blocks(n) + 1, 0);
  std::uint8_t* is_left = memory_.is_left.data();
  for_blocks(pool_, n, [&](int block, std::size_t begin, std::size_t end) {
    if (!node.oblique.found()) test(node.split, rows, begin, end, is_left);
    n_left[block + 1] = std::accumulate(is_left + begin, is_left + end, std::size_t{0});
  });
  std::partial_sum(n_left.begin(), n_left.end(), n_left.begin());
  const std::size_t middle = n_left.back();
  for_blocks(pool_, n, [&](int block, std::size_t begin, std::size_t end) {
    std::size_t left = n_left[block], right = middle + begin - left;
    for (std::size_t i = begin; i < end; ++i) {
      memory_.moved[node.begin + (is_left[i] ? left : right)] = rows[i];
      left += is_left[i];
      right += 1 - is_left[i];
    }
  });
  std::copy_n(&memory_.moved[node.begin], n, &memory_.rows[node.begin]);
  return node.begin + middle;
}

// Adds up the smaller child; the other one is the difference, which its search computes.
void BoostingGrower::build_histograms(Node& parent, Node& left, Node& right) {
  Node &small = left.n_rows() < right.n_rows() ? left : right,
       &large = left.n_rows() < right.n_rows() ? right : left;
  small.histogram = new_histogram();
  histograms_.build(&memory_.rows[small.begin], small.n_rows(), *small.histogram);
  large.sibling = small.histogram.get();
  large.histogram = std::move(parent.histogram);
}

std::unique_ptr<Histogram> BoostingGrower::new_histogram() {
  if (memory_.histograms.empty()) return std::make_unique<Histogram>();
  std::unique_ptr<Histogram> histogram = std::move(memory_.histograms.back());
  memory_.histograms.pop_back();
  return histogram;
}

void BoostingGrower::release(Node& node) {
  if (node.histogram != nullptr) memory_.histograms.push_back(std::move(node.histogram));
}

// ---------------------------------------------------------------------- the tree's arrays

void BoostingGrower::write(int number, BoostedTree& tree, const std::vector<double>& weight) const {
  const Node& node = nodes_[number];
  const std::size_t place = tree.value.size();
  const double own = -node.sums.sums.gradient / (node.sums.sums.hessian + settings_.rules.l2 +
                                                 1e-15);  // the root has none yet
  const double value = number == 0 ? own : node.sums.value;
  tree.value.push_back(settings_.learning_rate * value);
  tree.n_node_samples.push_back(static_cast<std::int64_t>(node.n_rows()));
  double total = static_cast<double>(node.n_rows());
  if (!weight.empty()) {
    total = 0.0;
    for (std::size_t i = node.begin; i < node.end; ++i) total += weight[memory_.rows[i]];
  }
  tree.node_weight.push_back(total);
  // Weighted by node_weight, decreases of these are the gains.
  tree.impurity.push_back(node.sums.sums.gradient * value / total);
  tree.leaf_begin.push_back(static_cast<std::uint32_t>(node.begin));
  tree.leaf_end.push_back(static_cast<std::uint32_t>(node.end));
  tree.children.insert(tree.children.end(), {-1, -1});
  if (node.child[0] >= 0) write_test(node, tree);
  tree.row_start.push_back(static_cast<std::int32_t>(tree.offset.size()));
  for (int c = 0; c < 2 && node.child[0] >= 0; ++c) {
    tree.children[2 * place + c] = static_cast<std::int32_t>(tree.value.size());
    write(node.child[c], tree, weight);
  }
}

void BoostingGrower::write_test(const Node& node, BoostedTree& tree) const {
  if (node.oblique.found()) {
    for (std::size_t j = 0; j < node.oblique.features.size(); ++j) {
      const BinnedFeature& feature = binned_[node.oblique.features[j]];
      tree.coef_column.push_back(feature.column);
      tree.coef_value.push_back(node.oblique.coef[j]);
      tree.coef_fill.push_back(feature.mean);
    }
    tree.offset.push_back(node.oblique.threshold);
  } else if (binned_[node.split.feature].is_category) {
    write_category(node, tree);
  } else {
    write_number(node, tree);
  }
  tree.coef_start.push_back(static_cast<std::int64_t>(tree.coef_value.size()));
}

// x <= threshold; what stands in for a missing value is well on its side.
void BoostingGrower::write_number(const Node& node, BoostedTree& tree) const {
  const BinnedFeature& feature = binned_[node.split.feature];
  const bool of_missing = node.split.last_bin == feature.n_bins - 1;
  const double threshold = of_missing ? feature.largest + std::max(1.0, std::fabs(feature.largest))
                                      : feature.threshold[node.split.last_bin];
  const double distance = std::max(feature.scale, std::fabs(threshold));
  tree.coef_column.push_back(feature.column);
  tree.coef_value.push_back(1.0);
  tree.coef_fill.push_back(finite(threshold + (node.split.missing_left ? -distance : distance)));
  tree.offset.push_back(finite(threshold));
}

// Indicators of the levels of one child, whichever has fewer: of child 1 with coefficient 1, of
// child 0 with -1.
void BoostingGrower::write_category(const Node& node, BoostedTree& tree) const {
  const BinnedFeature& feature = binned_[node.split.feature];
  const auto& left = node.split.goes_left;
  const auto n_left = std::count(left.begin(), left.begin() + feature.n_bins, true);
  const bool lists_left = 2 * n_left <= feature.n_bins;
  const double sign = lists_left ? -1.0 : 1.0;
  const bool missing_is_listed = node.split.missing_left == lists_left;
  bool is_first = true;
  for (int level = 0; level < feature.n_bins; ++level) {
    if (left[level] != lists_left) continue;
    tree.coef_column.push_back(feature.column + level);
    tree.coef_value.push_back(sign);
    tree.coef_fill.push_back(missing_is_listed && is_first ? 1.0 : 0.0);
    is_first = false;
  }
  if (is_first) {  // all levels are one child: the test is of missing values
    tree.coef_column.push_back(feature.column);
    tree.coef_value.push_back(sign);
    tree.coef_fill.push_back(missing_is_listed ? 2.0 : 0.0);
    tree.offset.push_back(sign * 1.5);
    return;
  }
  tree.offset.push_back(sign * 0.5);
}

}  // namespace aslant
