#include "search/mml_tests.hpp"

#include <algorithm>
#include <numeric>

#include "node/partition.hpp"
#include "support/workspace.hpp"

namespace aslant {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// Oblique cuts do not separate points closer than this in the unit cube.
constexpr double kLeastMargin = 1e-9;
// Rows are grouped into points only if sweeps become much shorter.
constexpr std::size_t kRowsPerPoint = 4;

bool tabulates(const Node& node) {
  if (node.target().weight().empty()) return true;
  return node.target().total_weight() <= 16.0 * static_cast<double>(node.n_rows()) &&
         std::all_of(node.target().weight().begin(), node.target().weight().end(),
                     [](double weight) { return weight == std::floor(weight); });
}

// Reused across sweeps.
struct MessageBuffers {
  std::vector<Event> events;
  EventSorter sorter;
  std::vector<double> projection, child0, child1;
};
void sort_values(const double* values, std::size_t n, MessageBuffers& buffers) {
  buffers.events.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) buffers.events[i] = {values[i], i, 0};
  buffers.sorter.sort(buffers.events);
}

}  // namespace

MessageNode::MessageNode(const Node& node, const MmlOptions& options, bool is_root)
    : node_(node),
      options_(options),
      is_root_(is_root),
      leaf_code_(options.alpha, node.target().n_classes(), node.target().total_weight(),
                 tabulates(node)),
      scaled_(node.n_columns()),
      lowest_(node.n_columns(), 0.0),
      range_(node.n_columns(), 0.0),
      rank_(node.n_columns()),
      distinct_(node.n_columns(), 1) {
  add_numbers();
  add_categories();
}

void MessageNode::add_numbers() {
  for (int column : node_.columns().numeric()) {
    scale(column);
    if (distinct_[column] > 1) attributes_.push_back({column, -1, {}});
  }
}

void MessageNode::add_categories() {
  for (std::size_t g = 0; g < node_.columns().groups().size(); ++g) {
    const CategoryGroup& group = node_.columns().groups()[g];
    std::vector<char> occurs(group.n_levels, 0);
    for (std::int32_t code : group.code)
      if (code >= 0) occurs[code] = 1;
    Attribute attribute{group.first_column, static_cast<int>(g), {}};
    for (int level = 0; level < group.n_levels; ++level)
      if (occurs[level]) attribute.levels.push_back(level);
    if (attribute.levels.size() < 2) continue;
    for (int level : attribute.levels) scale(group.first_column + level);
    attributes_.push_back(std::move(attribute));
  }
}

void MessageNode::scale(int column) {
  const double* x = node_.column(column);
  const std::size_t n = node_.n_rows();
  MessageBuffers& buffers = Workspace::get<MessageBuffers>();
  sort_values(x, n, buffers);
  lowest_[column] = buffers.events.front().at;
  range_[column] = buffers.events.back().at - lowest_[column];
  std::vector<std::uint32_t>& rank = rank_[column];
  rank.resize(n);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0 && buffers.events[i].at != buffers.events[i - 1].at) ++next;
    rank[buffers.events[i].row] = next;
  }
  distinct_[column] = next + 1;
  scaled_[column].resize(n);
  for (std::size_t i = 0; i < n; ++i)
    scaled_[column][i] = (x[i] - lowest_[column]) / range_[column];
}

int MessageNode::smallest_test() const {
  return std::min(options_.min_features, largest_test());
}

int MessageNode::largest_test() const {
  return std::min(options_.max_features, static_cast<int>(attributes_.size()));
}

// Bits for the number of attributes and for their choice.
double MessageNode::choice_of_attributes(int n) const {
  if (!options_.charges_attributes) return 0.0;
  return choice_bits(largest_test() - smallest_test() + 1) +
         subset_bits(static_cast<int>(attributes_.size()), n);
}

TestSpace MessageNode::space(std::vector<int> attributes, std::vector<int> columns) const {
  TestSpace space;
  space.attributes = std::move(attributes);
  space.columns = std::move(columns);
  for (int column : space.columns) space.coordinates.push_back(scaled_[column].data());
  const auto d = static_cast<int>(space.columns.size());
  space.charge = choice_of_attributes(d);
  count_points(space);
  if (d == 1 && is_category(space.attributes[0])) {
    const Attribute& attribute = attributes_[space.attributes[0]];
    space.charge += grouping_bits(static_cast<int>(attribute.levels.size()), 1) +
                    (has_missing(attribute) ? 1.0 : 0.0);
    return space;
  }
  for (int attribute : space.attributes)
    if (is_category(attribute))
      space.charge += level_bits(static_cast<int>(attributes_[attribute].levels.size()), 1);
  space.charge += position_bits(options_.position, space.n_points);
  return space;
}

// Points are distinct rows of the chosen columns.
void MessageNode::count_points(TestSpace& space) const {
  const std::size_t n = node_.n_rows();
  space.n_points = n;
  for (int column : space.columns)
    if (distinct_[column] == n) return;
  std::vector<std::uint64_t> key(n, 0), sorted;
  for (int column : space.columns) {
    for (std::size_t i = 0; i < n; ++i) key[i] = key[i] * distinct_[column] + rank_[column][i];
    sorted = key;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (std::uint64_t& k : key)
      k = static_cast<std::uint64_t>(std::lower_bound(sorted.begin(), sorted.end(), k) -
                                     sorted.begin());
  }
  space.n_points = sorted.size();
  if (space.n_points * kRowsPerPoint <= n) group_rows(space, key);
}

void MessageNode::group_rows(TestSpace& space, const std::vector<std::uint64_t>& key) const {
  const std::size_t n = node_.n_rows();
  space.first.assign(space.n_points + 1, 0);
  for (std::uint64_t k : key) ++space.first[k + 1];
  std::partial_sum(space.first.begin(), space.first.end(), space.first.begin());
  space.row.resize(n);
  std::vector<std::uint32_t> next(space.first.begin(), space.first.end() - 1);
  for (std::uint32_t i = 0; i < n; ++i) space.row[next[key[i]]++] = i;
  space.grouped.resize(space.columns.size());
  for (std::size_t c = 0; c < space.columns.size(); ++c) {
    for (std::size_t p = 0; p < space.n_points; ++p)
      space.grouped[c].push_back(scaled_[space.columns[c]][space.row[space.first[p]]]);
    space.coordinates[c] = space.grouped[c].data();
  }
}

bool MessageNode::large_enough(std::int64_t rows0, const std::vector<double>& child0) const {
  return node_.limits().allow_both(rows0, node_.target().weight_in(child0.data()),
                                   static_cast<std::int64_t>(node_.n_rows()),
                                   node_.target().total_weight());
}

double MessageNode::class_bits(const std::vector<double>& child0,
                               std::vector<double>& child1) const {
  for (std::size_t k = 0; k < child0.size(); ++k)
    child1[k] = std::max(0.0, node_.target().class_weight()[k] - child0[k]);
  return leaf_code_.bits(child0.data()) + leaf_code_.bits(child1.data());
}

// Moves the rows of a point to child 0.
void MessageNode::enter(const TestSpace& space, std::size_t point, std::vector<double>& child0,
                        std::int64_t& rows0) const {
  if (space.row.empty()) {
    child0[node_.target().label()[point]] += node_.weight_of(point);
    ++rows0;
    return;
  }
  for (std::size_t e = space.first[point]; e < space.first[point + 1]; ++e)
    child0[node_.target().label()[space.row[e]]] += node_.weight_of(space.row[e]);
  rows0 += space.first[point + 1] - space.first[point];
}

double MessageNode::cut_bits(const TestSpace& space, const std::vector<double>& w,
                             double threshold) const {
  MessageBuffers& buffers = Workspace::get<MessageBuffers>();
  buffers.child0.assign(node_.target().n_classes(), 0.0);
  buffers.child1.resize(node_.target().n_classes());
  const std::size_t n_points = space.row.empty() ? node_.n_rows() : space.n_points;
  const std::size_t d = w.size();
  double below = -kInfinite, above = kInfinite, squares = 0.0;
  std::int64_t rows0 = 0;
  for (std::size_t p = 0; p < n_points; ++p) {
    double u = 0.0;
    for (std::size_t c = 0; c < d; ++c) u += w[c] * space.coordinates[c][p];
    if (u <= threshold) {
      below = std::max(below, u);
      enter(space, p, buffers.child0, rows0);
    } else {
      above = std::min(above, u);
    }
  }
  for (double value : w) squares += value * value;
  const double margin = (above - below) / std::sqrt(squares);
  if (!(margin > kLeastMargin) || !large_enough(rows0, buffers.child0)) return kInfinite;
  return direction_bits(options_.direction, dimensions(d), margin) +
         class_bits(buffers.child0, buffers.child1);
}

// The points of a space as a partition for sweeps; score = -bits.
class MessageNode::MessagePartition {
 public:
  MessagePartition(const MessageNode& node, const TestSpace& space, std::vector<double>& child0,
                   std::vector<double>& child1)
      : node_(node), space_(space), child0_(child0), child1_(child1) {
    child0.assign(node.node_.target().n_classes(), 0.0);
    child1.resize(child0.size());
  }
  void move(const Event& point) { node_.enter(space_, point.row, child0_, rows0_); }
  bool allowed() const { return node_.large_enough(rows0_, child0_); }
  double score_above(double known, const Event& point, const Event& next) const {
    const double bits = node_.class_bits(child0_, child1_);
    if (!(-bits > known)) return -bits;  // the direction adds bits
    return -(bits + direction_bits(node_.options_.direction,
                                   node_.dimensions(space_.columns.size()), next.at - point.at));
  }
  static void begin(const Event*, const Event*) {}
  static bool skips(const Event*, const Event*, const Event*) { return false; }

 private:
  const MessageNode& node_;
  const TestSpace& space_;
  std::vector<double>&child0_, &child1_;
  std::int64_t rows0_ = 0;
};

// Cuts the points, at u on a line, between neighbors more than least_gap apart.
CandidateTest MessageNode::sweep(const TestSpace& space, const double* u, double least_gap) const {
  MessageBuffers& buffers = Workspace::get<MessageBuffers>();
  sort_values(u, space.row.empty() ? node_.n_rows() : space.n_points, buffers);
  MessagePartition partition(*this, space, buffers.child0, buffers.child1);
  const auto tied = [least_gap](const Event& point, const Event& next) {
    return !(next.at - point.at > least_gap);
  };
  Sweep sweep(partition, tied);
  sweep.run(buffers.events.data(), buffers.events.data() + buffers.events.size());
  CandidateTest best;
  if (const auto found = sweep.best()) {
    best.bits = -found->score;
    best.cut = found->alpha;
  }
  return best;
}

CandidateTest MessageNode::best_cut(const TestSpace& space, const std::vector<double>& w) const {
  std::vector<double>& u = Workspace::get<MessageBuffers>().projection;
  const std::size_t n_points = space.row.empty() ? node_.n_rows() : space.n_points;
  u.assign(n_points, 0.0);
  for (std::size_t c = 0; c < w.size(); ++c)
    for (std::size_t p = 0; p < n_points; ++p) u[p] += w[c] * space.coordinates[c][p];
  CandidateTest best = sweep(space, u.data(), kLeastMargin);
  best.bits += space.charge;
  best.attributes = space.attributes;
  best.columns = space.columns;
  best.w = w;
  return best;
}

CandidateTest MessageNode::best_single(int attribute) const {
  return is_category(attribute) ? best_grouping(attribute) : best_threshold(attribute);
}

CandidateTest MessageNode::best_threshold(int attribute) const {
  const int column = attributes_[attribute].column;
  TestSpace line;
  line.columns = {column};
  CandidateTest best = sweep(line, node_.column(column), 0.0);
  best.bits += choice_of_attributes(1) + position_bits(options_.position, distinct_[column]);
  best.attributes = {attribute};
  best.columns = {column};
  best.w = {1.0};
  best.raw = true;
  return best;
}

// Moves levels to child 0 in the order of a class's share, for each class, and tries single levels.
// For two classes and an impurity such a run is optimal (Breiman et al. 1984, theorem 4.5); for the
// message this is a heuristic.
class MessageNode::GroupingSearch {
 public:
  GroupingSearch(const MessageNode& parent, const Attribute& attribute)
      : parent_(parent),
        group_(parent.node_.columns().groups()[attribute.group]),
        levels_(attribute.levels),
        n_classes_(parent.node_.target().n_classes()),
        weight_(group_.n_levels + 1, std::vector<double>(n_classes_, 0.0)),
        rows_(group_.n_levels + 1, 0) {
    for (std::size_t i = 0; i < group_.code.size(); ++i) {
      const int level = group_.code[i] < 0 ? group_.n_levels : group_.code[i];
      weight_[level][parent.node_.target().label()[i]] += parent.node_.weight_of(i);
      ++rows_[level];
    }
  }

  CandidateTest run() {
    for (int level : levels_) try_run({level}, 1);
    for (int k = 0; k < n_classes_; ++k) {
      std::vector<int> order = levels_;
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return share(a, k) < share(b, k); });
      try_run(order, order.size() - 1);
    }
    return best_;
  }

 private:
  double share(int level, int k) const {
    return weight_[level][k] / std::accumulate(weight_[level].begin(), weight_[level].end(), 0.0);
  }

  void try_run(const std::vector<int>& order, std::size_t length) {
    std::vector<int> members;
    for (std::size_t i = 0; i < length; ++i) {
      members.push_back(order[i]);
      consider(members);
    }
  }

  // Lists the smaller side; of equal halves the one with the first level.
  void consider(std::vector<int> members) {
    std::sort(members.begin(), members.end());
    std::vector<int> others;
    std::set_difference(levels_.begin(), levels_.end(), members.begin(), members.end(),
                        std::back_inserter(others));
    if (others.size() < members.size() ||
        (others.size() == members.size() && others.front() < members.front()))
      members.swap(others);
    std::vector<double> child0(n_classes_, 0.0), child1(n_classes_);
    std::int64_t rows0 = 0;
    double fill = 0.0;
    for (int level : members) {
      add(level, child0, rows0);
      fill -= group_.fill[level];  // in prediction's summation order
    }
    if (fill <= -0.5) add(group_.n_levels, child0, rows0);  // rows with a missing level
    if (!parent_.large_enough(rows0, child0)) return;
    const double bits =
        parent_.class_bits(child0, child1) +
        grouping_bits(static_cast<int>(levels_.size()), static_cast<int>(members.size()));
    if (bits < best_.bits || (bits == best_.bits && members < chosen_)) keep(bits, members);
  }

  void add(int level, std::vector<double>& child0, std::int64_t& rows0) const {
    for (int k = 0; k < n_classes_; ++k) child0[k] += weight_[level][k];
    rows0 += rows_[level];
  }

  void keep(double bits, const std::vector<int>& members) {
    chosen_ = members;
    best_.bits = bits;
    best_.columns.clear();
    for (int level : members) best_.columns.push_back(group_.first_column + level);
    best_.w.assign(members.size(), -1.0);
    best_.cut = -0.5;
    best_.raw = true;
  }

  const MessageNode& parent_;
  const CategoryGroup& group_;
  const std::vector<int>& levels_;
  const int n_classes_;
  std::vector<std::vector<double>> weight_;  // per level, the missing one last
  std::vector<std::int64_t> rows_;
  std::vector<int> chosen_;
  CandidateTest best_;
};

CandidateTest MessageNode::best_grouping(int attribute) const {
  CandidateTest best = GroupingSearch(*this, attributes_[attribute]).run();
  best.bits += choice_of_attributes(1) + (has_missing(attributes_[attribute]) ? 1.0 : 0.0);
  best.attributes = {attribute};
  return best;
}

bool MessageNode::has_missing(const Attribute& attribute) const {
  const std::vector<std::int32_t>& code = node_.columns().groups()[attribute.group].code;
  return std::any_of(code.begin(), code.end(), [](std::int32_t level) { return level < 0; });
}

double MessageNode::saving(const CandidateTest& test) const {
  return leaf_code_.bits(node_.target().class_weight().data()) - test.bits -
         structure_bits(is_root_, static_cast<int>(attributes_.size()));
}

CandidateTest MessageNode::cut_again(const CandidateTest& test, const MessageNode& sample) const {
  if (!test.exists()) return test;
  std::vector<int> attributes;
  for (int attribute : test.attributes) {
    const int column = sample.attributes_[attribute].column;
    const auto same = std::find_if(attributes_.begin(), attributes_.end(),
                                   [column](const Attribute& a) { return a.column == column; });
    attributes.push_back(static_cast<int>(same - attributes_.begin()));
  }
  if (test.raw) return best_single(attributes[0]);
  // Rescales the direction to the unit cube of all rows, which is larger than the sample's.
  std::vector<double> w = test.w;
  double squares = 0.0;
  for (std::size_t c = 0; c < w.size(); ++c) {
    w[c] *= range_[test.columns[c]] / sample.range_[test.columns[c]];
    squares += w[c] * w[c];
  }
  for (double& value : w) value /= std::sqrt(squares);
  return best_cut(space(std::move(attributes), test.columns), w);
}

std::optional<Split> MessageNode::split_worth_making(const CandidateTest& test) const {
  if (!test.exists() || !(saving(test) > options_.min_saving)) return std::nullopt;
  std::optional<Split> made = split(test);
  if (made) made->score = score_of(node_, children_of(node_, *made));
  return made;
}

std::optional<Split> MessageNode::split(const CandidateTest& test) const {
  std::vector<double> coef(node_.n_columns(), 0.0);
  for (std::size_t c = 0; c < test.columns.size(); ++c)
    coef[test.columns[c]] = test.raw ? test.w[c] : test.w[c] / range_[test.columns[c]];
  if (test.raw) return hyperplane(coef, test.cut, 0.0);

  double largest = 0.0;
  for (double value : coef) largest = std::max(largest, std::abs(value));
  for (double& value : coef) value /= largest;  // only ratios matter
  double below = -kInfinite, above = kInfinite;
  for (std::size_t i = 0; i < node_.n_rows(); ++i) {
    double in_cube = 0.0, in_units = 0.0;
    for (std::size_t c = 0; c < test.columns.size(); ++c)
      in_cube += test.w[c] * scaled_[test.columns[c]][i];
    for (std::size_t j = 0; j < coef.size(); ++j)  // in prediction's summation order
      if (coef[j] != 0.0) in_units += coef[j] * node_.column(static_cast<int>(j))[i];
    if (in_cube <= test.cut)
      below = std::max(below, in_units);
    else
      above = std::min(above, in_units);
  }
  if (!(below < above)) return std::nullopt;
  Split split = hyperplane(coef, between(below, above), 0.0);
  if (!split.finite()) return std::nullopt;
  return split;
}

}  // namespace aslant
