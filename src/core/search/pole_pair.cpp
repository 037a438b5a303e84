// G. E. Hinton and M. Revow, Using Pairs of Data-Points to Define Splits for Decision Trees,
// Advances in Neural Information Processing Systems 8, 1996, section 2.
//
// Whether a row is nearer to pole B than to pole A is a comparison of two distances. Only their
// order matters, so each row ranks all poles by distance once (n^2 log n), and the n^3 comparisons
// of a node are made between ranks of 16 bits, many at a time.

#include "search/pole_pair.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "search/poles.hpp"
#include "sort_events.hpp"

namespace aslant {

namespace {

constexpr double kTie = 1e-12;    // scores that differ by less are equal but for rounding
constexpr std::size_t kLanes = 16;  // classes begin at multiples of it: loops have no remainder
constexpr std::size_t kPolesTogether = 8;  // their ranks stay in the first-level cache

constexpr std::size_t kFinalists = 8;  // candidates of a sample that all rows judge

using Rank = std::int16_t;
using Row = std::uint32_t;

Space space_of(const Node& node, PolePairOptions::Scale scale) {
  Space space;
  double largest = 0.0;
  for (int j : node.varying_columns()) {
    double unit = 1.0;
    if (scale == PolePairOptions::Scale::training) unit = node.training_deviation(j);
    if (scale == PolePairOptions::Scale::node) unit = node.deviation(j);
    if (!(unit > 0.0)) continue;
    const double* x = node.column(j);
    const auto [low, high] = std::minmax_element(x, x + node.n_rows());
    space.columns.push_back(j);
    space.unit.push_back(unit);
    space.origin.push_back(*low + (*high - *low) / 2.0);
    largest += std::max(std::abs(*low), std::abs(*high)) / unit * ((*high - *low) / unit);
  }
  space.rounding = Node::rounding(largest);
  return space;
}

bool of_one_class(const Pole& a, const Pole& b) {
  return a.only_class >= 0 && a.only_class == b.only_class;
}

struct Candidate {
  double score;
  int a, b;  // poles; a comes before b

  bool precedes(const Candidate& other) const {
    return a < other.a || (a == other.a && b < other.b);
  }
};

// The best candidates, no two of the same score.
class Shortlist {
 public:
  explicit Shortlist(std::size_t capacity) : capacity_(capacity) {}

  void add(const Candidate& candidate) {
    if (kept_.size() == capacity_ && candidate.score < kept_.back().score - kTie) return;
    for (Candidate& kept : kept_)
      if (std::abs(kept.score - candidate.score) <= kTie) {
        if (candidate.precedes(kept)) kept = candidate;
        return;
      }
    const auto place = std::find_if(kept_.begin(), kept_.end(), [&](const Candidate& kept) {
      return kept.score < candidate.score;
    });
    kept_.insert(place, candidate);
    if (kept_.size() > capacity_) kept_.pop_back();
  }
  double least() const { return kept_.size() == capacity_ ? kept_.back().score : LineSearch::kAnyScore; }
  const std::vector<Candidate>& candidates() const { return kept_; }

 private:
  std::size_t capacity_;
  std::vector<Candidate> kept_;
};

// Calls search(begin, list) for blocks of poles, and returns the best of all lists. The order in
// which they are joined does not depend on the threads.
template <class Search>
Shortlist over_blocks(std::size_t n_poles, std::size_t capacity, std::size_t work,
                      const SearchContext& context, const Search& search) {
  const std::size_t n_blocks = (n_poles + kPolesTogether - 1) / kPolesTogether;
  std::vector<Shortlist> found(n_blocks, Shortlist(capacity));
  const auto search_block = [&](int block) {
    context.supervisor.check();
    search(block * kPolesTogether, found[block]);
  };
  if (work >= kWorthSharing)
    context.pool.for_each(static_cast<int>(n_blocks), search_block);
  else
    for (std::size_t block = 0; block < n_blocks; ++block) search_block(static_cast<int>(block));
  Shortlist all(capacity);
  for (const Shortlist& list : found)
    for (const Candidate& candidate : list.candidates()) all.add(candidate);
  return all;
}

// Weight of the judges that rank pole B before pole A.
std::int16_t weight_nearer(const Rank* to_b, const Rank* to_a, const std::int16_t* weight,
                           std::size_t n) {
  std::int16_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) {  // masks, not branches: so that compilers vectorise it
    const std::int16_t mask = to_b[i] < to_a[i] ? -1 : 0;
    sum = static_cast<std::int16_t>(sum + (weight[i] & mask));
  }
  return sum;
}

double weight_nearer(const Rank* to_b, const Rank* to_a, const double* weight, std::size_t n) {
  double sum[kLanes] = {};
  for (std::size_t i = 0; i < n; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sum[lane] += to_b[i + lane] < to_a[i + lane] ? weight[i + lane] : 0.0;
  return std::accumulate(sum, sum + kLanes, 0.0);
}

// All bisectors of pairs of poles, judged by the class weights on both sides.
class Bisectors {
 public:
  Bisectors(const Node& node, const Space& space, const std::vector<Pole>& poles,
            const std::vector<Judge>& judges, const ChildLimits& limits, bool same_class,
            const SearchContext& context)
      : node_(node), poles_(poles), limits_(limits), same_class_(same_class), context_(context),
        class_begin_{0}, class_weight_(node.n_classes(), 0.0) {
    std::vector<Row> rows;
    auto judge = judges.begin();
    for (int k = 0; k < node.n_classes(); ++k) {
      for (; judge != judges.end() && judge->label == k; ++judge) {
        rows.push_back(judge->row);
        weight_.push_back(judge->weight);
        n_rows_.push_back(judge->n_rows);
        class_weight_[k] += judge->weight;
      }
      rows.resize((rows.size() + kLanes - 1) / kLanes * kLanes, JudgesOfPoles<Rank>::kNobody);
      weight_.resize(rows.size(), 0.0);
      n_rows_.resize(rows.size(), 0);
      class_begin_.push_back(rows.size());
    }
    total_ = std::accumulate(class_weight_.begin(), class_weight_.end(), 0.0);
    total_rows_ = std::accumulate(n_rows_.begin(), n_rows_.end(), std::int64_t{0});
    const Nearness nearness(node, space, poles);
    ranks_.emplace(nearness, rows, context,
                   [&](const std::vector<double>& near, Rank* rank) {
                     rank_poles(near, space.rounding, rank);
                   });
  }

  Shortlist best(std::size_t capacity) const {
    const bool small_counts =
        std::all_of(weight_.begin(), weight_.end(),
                    [](double weight) { return weight == std::floor(weight); }) &&
        *std::max_element(class_weight_.begin(), class_weight_.end()) <=
            std::numeric_limits<std::int16_t>::max();
    if (!small_counts) return best(capacity, weight_);
    return best(capacity, std::vector<std::int16_t>(weight_.begin(), weight_.end()));
  }

 private:
  // 0 is the nearest; poles at the same distance, but for rounding, have the same rank.
  static void rank_poles(const std::vector<double>& near, double rounding, Rank* rank) {
    static thread_local std::vector<Event> order;
    static thread_local EventSorter sorter;
    order.resize(near.size());
    for (std::uint32_t p = 0; p < near.size(); ++p) order[p] = {-near[p], p, 0};
    sorter.sort(order);
    Rank last = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && order[i].at - order[i - 1].at > rounding) ++last;
      rank[order[i].row] = last;
    }
  }

  template <class Weight>
  Shortlist best(std::size_t capacity, const std::vector<Weight>& weight) const {
    const std::size_t work = poles_.size() * poles_.size() * weight.size() / kLanes;
    return over_blocks(poles_.size(), capacity, work, context_,
                       [&](std::size_t begin, Shortlist& found) {
                         std::vector<double> scratch;
                         with_criterion(node_.criterion(), class_weight_.data(),
                                        node_.n_classes(), scratch, [&](auto criterion) {
                                          search_block(criterion, weight, begin, found);
                                          return 0;
                                        });
                       });
  }

  // Pairs of a few poles with all that come after them.
  template <class Criterion, class Weight>
  void search_block(Criterion& criterion, const std::vector<Weight>& weight, std::size_t begin,
                    Shortlist& found) const {
    std::vector<double> side_b(node_.n_classes());
    std::int64_t tried = 0;
    for (std::size_t b = begin + 1; b < poles_.size(); ++b)
      for (std::size_t a = begin; a < std::min(b, begin + kPolesTogether); ++a) {
        if (!same_class_ && of_one_class(poles_[a], poles_[b])) continue;
        ++tried;
        const Rank *to_a = ranks_->of(static_cast<int>(a)), *to_b = ranks_->of(static_cast<int>(b));
        double weight_b = 0.0;
        for (int k = 0; k < node_.n_classes(); ++k) {
          const std::size_t from = class_begin_[k];
          side_b[k] = weight_nearer(to_b + from, to_a + from, &weight[from],
                                    class_begin_[k + 1] - from);
          weight_b += side_b[k];
        }
        const double weight_a = total_ - weight_b;
        if (!(std::min(weight_a, weight_b) > 0.0) || std::min(weight_a, weight_b) < limits_.weight)
          continue;
        criterion.set(side_b.data());
        const double score = criterion.score();
        if (score < found.least() - kTie || !enough_rows(to_a, to_b)) continue;
        found.add({score, static_cast<int>(a), static_cast<int>(b)});
      }
    context_.hyperplanes += tried;
  }

  bool enough_rows(const Rank* to_a, const Rank* to_b) const {
    if (limits_.rows <= 1) return true;
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < n_rows_.size(); ++i) rows += to_b[i] < to_a[i] ? n_rows_[i] : 0;
    return rows >= limits_.rows && total_rows_ - rows >= limits_.rows;
  }

  const Node& node_;
  const std::vector<Pole>& poles_;
  const ChildLimits& limits_;
  const bool same_class_;
  const SearchContext& context_;
  std::vector<std::size_t> class_begin_;  // judges of class k: class_begin_[k] to [k + 1]
  std::vector<double> weight_;
  std::vector<std::int64_t> n_rows_;
  std::vector<double> class_weight_;
  double total_ = 0.0;
  std::int64_t total_rows_ = 0;
  std::optional<JudgesOfPoles<Rank>> ranks_;
};

// The lines through pairs of poles, with the best threshold along each.
class Lines {
 public:
  Lines(const Node& node, const Space& space, const std::vector<Pole>& poles,
        const std::vector<Judge>& judges, const ChildLimits& limits, bool same_class,
        const SearchContext& context)
      : node_(node), poles_(poles), limits_(limits), same_class_(same_class), context_(context),
        rounding_(space.rounding), class_weight_(node.n_classes(), 0.0) {
    std::vector<Row> rows;
    for (const Judge& judge : judges) {
      rows.push_back(judge.row);
      label_.push_back(judge.label);
      weight_.push_back(judge.weight);
      class_weight_[judge.label] += judge.weight;
    }
    if (std::count(weight_.begin(), weight_.end(), 1.0) == static_cast<int>(weight_.size()))
      weight_.clear();
    const Nearness nearness(node, space, poles);
    nearness_.emplace(nearness, rows, context, [](const std::vector<double>& near, double* out) {
      std::copy(near.begin(), near.end(), out);
    });
  }

  Shortlist best(std::size_t capacity) const {
    return over_blocks(poles_.size(), capacity, poles_.size() * poles_.size() * label_.size(),
                       context_, [&](std::size_t begin, Shortlist& found) {
                         const std::size_t end = std::min(begin + kPolesTogether, poles_.size());
                         for (std::size_t a = begin; a < end; ++a) search_pole(a, found);
                       });
  }

 private:
  void search_pole(std::size_t a, Shortlist& found) const {
    context_.supervisor.check();
    LineSearch line({label_.size(), label_.data(), weight_.empty() ? nullptr : weight_.data(),
                     class_weight_.data(), node_.n_classes()},
                    node_.criterion(), limits_);
    std::vector<double> along(label_.size());
    const double* to_a = nearness_->of(static_cast<int>(a));
    for (std::size_t b = a + 1; b < poles_.size(); ++b) {
      if (!same_class_ && of_one_class(poles_[a], poles_[b])) continue;
      const double* to_b = nearness_->of(static_cast<int>(b));
      for (std::size_t i = 0; i < along.size(); ++i) along[i] = to_b[i] - to_a[i];
      const auto best = line.threshold(along.data(), rounding_, found.least() - kTie);
      context_.hyperplanes += 1;
      if (best) found.add({best->score, static_cast<int>(a), static_cast<int>(b)});
    }
  }

  const Node& node_;
  const std::vector<Pole>& poles_;
  const ChildLimits& limits_;
  const bool same_class_;
  const SearchContext& context_;
  const double rounding_;
  std::vector<std::int32_t> label_;
  std::vector<double> weight_;  // empty: all 1
  std::vector<double> class_weight_;
  std::optional<JudgesOfPoles<double>> nearness_;
};

// The hyperplane between two rows of the node, judged by all rows as prediction will see them.
std::optional<Split> split_between(const Node& node, const Space& space, Row a, Row b,
                                   bool all_thresholds) {
  std::vector<double> coef(node.n_columns(), 0.0);
  double largest = 0.0;
  for (std::size_t j = 0; j < space.columns.size(); ++j) {
    const double* x = node.column(space.columns[j]);
    coef[space.columns[j]] = (x[b] - x[a]) / space.unit[j] / space.unit[j];
    largest = std::max(largest, std::abs(coef[space.columns[j]]));
  }
  for (double& value : coef) value /= largest;
  Split split;
  if (all_thresholds) return node.best_along(coef, split) ? std::optional<Split>(split) : std::nullopt;

  std::vector<double> projection(node.n_rows(), 0.0);
  double threshold = 0.0;
  for (int j : space.columns) {
    const double* x = node.column(j);
    threshold += coef[j] * (x[a] + (x[b] - x[a]) / 2.0);
    if (coef[j] == 0.0) continue;
    for (std::size_t i = 0; i < projection.size(); ++i) projection[i] += coef[j] * x[i];
  }
  // Rows on the bisector belong to A, though rounding may have put them a little beyond.
  const double limit = threshold + space.rounding / largest;
  for (double value : projection)
    if (value <= limit) threshold = std::max(threshold, value);
  std::vector<double> class_weight(node.n_classes(), 0.0);
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < projection.size(); ++i)
    if (projection[i] <= threshold) {
      class_weight[node.label()[i]] += node.weight_of(i);
      ++rows;
    }
  const auto size = static_cast<std::int64_t>(node.n_rows());
  const std::optional<double> score = node.score(class_weight, rows);
  if (rows == 0 || rows == size || !score) return std::nullopt;
  split = hyperplane(coef, threshold, *score);
  return split.finite() ? std::optional<Split>(split) : std::nullopt;
}

}  // namespace

std::optional<Split> PolePair::find(const std::shared_ptr<const Node>& node,
                                    const SearchContext& context) const {
  const Space space = space_of(*node, options_.scale);
  if (space.columns.empty()) return std::nullopt;
  std::vector<Row> pole_rows(node->n_rows());
  std::iota(pole_rows.begin(), pole_rows.end(), Row{0});
  std::vector<Row> judge_rows = pole_rows;
  const bool sampled = node->n_rows() > options_.poles &&
                       node->problem().spread().distinct_rows > options_.exact_rows;
  if (sampled) {
    const RowSampler sampler(*node, space, subkey(context.key, 0));
    pole_rows = sampler.sample(options_.poles);
    judge_rows = sampler.sample(options_.judges);
  }
  // A sample says nothing about the size of the children.
  const ChildLimits limits = sampled ? ChildLimits{} : node->limits();
  const std::vector<Pole> poles = distinct_poles(*node, space, std::move(pole_rows));
  const std::vector<Judge> judges = judges_among(*node, space, std::move(judge_rows),
                                                 !options_.all_thresholds || limits.rows <= 1);
  const std::size_t capacity = sampled ? kFinalists : 1;
  const Shortlist shortlist =
      options_.all_thresholds
          ? Lines(*node, space, poles, judges, limits, options_.same_class, context).best(capacity)
          : Bisectors(*node, space, poles, judges, limits, options_.same_class, context)
                .best(capacity);
  std::optional<Split> best;
  for (const Candidate& candidate : shortlist.candidates()) {
    const std::optional<Split> split = split_between(
        *node, space, poles[candidate.a].row, poles[candidate.b].row, options_.all_thresholds);
    if (split && (!best || split->score > best->score + kTie)) best = split;
  }
  return best;
}

}  // namespace aslant
