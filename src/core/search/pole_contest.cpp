// Only the order of a row's distances to the poles matters: each voting row ranks all poles once
// (n^2 log n), and the n^3 comparisons of a node use 16-bit ranks, many at a time.

#include "search/pole_contest.hpp"

#include <limits>
#include <numeric>

#include "line/sort_events.hpp"
#include "support/workspace.hpp"

namespace aslant {

namespace {

using Rank = std::int16_t;

constexpr std::size_t kVotersTogether = 16;  // classes begin at multiples: loops need no remainder
constexpr std::size_t kPolesTogether = 8;    // their ranks fit in L1 cache

// Calls search(begin, end, list) for blocks of poles; joins the lists in that order.
template <class Search>
Shortlist over_blocks(const Contest& contest, std::size_t capacity, const Search& search) {
  const std::size_t n = contest.poles.size();
  std::vector<Shortlist> found((n + kPolesTogether - 1) / kPolesTogether, Shortlist(capacity));
  const auto search_block = [&](int block) {
    contest.context.supervisor.check();
    const std::size_t begin = block * kPolesTogether;
    search(begin, std::min(begin + kPolesTogether, n), found[block]);
  };
  contest.context.share(static_cast<int>(found.size()),
                        n * n * contest.voters.size() / kVotersTogether, search_block);
  Shortlist all(capacity);
  for (const Shortlist& list : found)
    for (const Contestant& candidate : list.candidates()) all.add(candidate);
  return all;
}

// Weight of the voting rows that rank pole B before pole A.
std::int16_t weight_nearer(const Rank* to_b, const Rank* to_a, const std::int16_t* weight,
                           std::size_t n) {
  std::int16_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) {  // branchless, so compilers vectorize it
    const std::int16_t mask = to_b[i] < to_a[i] ? -1 : 0;
    sum = static_cast<std::int16_t>(sum + (weight[i] & mask));
  }
  return sum;
}

double weight_nearer(const Rank* to_b, const Rank* to_a, const double* weight, std::size_t n) {
  double sum[kVotersTogether] = {};
  for (std::size_t i = 0; i < n; i += kVotersTogether)
    for (std::size_t lane = 0; lane < kVotersTogether; ++lane)
      sum[lane] += to_b[i + lane] < to_a[i + lane] ? weight[i + lane] : 0.0;
  return std::accumulate(sum, sum + kVotersTogether, 0.0);
}

// 0 is the nearest; distances equal up to rounding share a rank.
void rank_poles(const std::vector<double>& near, double rounding, Rank* rank) {
  struct Buffers {
    std::vector<Event> order;
    EventSorter sorter;
  };
  auto& [order, sorter] = Workspace::get<Buffers>();
  order.resize(near.size());
  for (std::uint32_t p = 0; p < near.size(); ++p) order[p] = {-near[p], p, 0};
  sorter.sort(order);
  Rank last = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && order[i].at - order[i - 1].at > rounding) ++last;
    rank[order[i].row] = last;
  }
}

// The weights of the voting rows, as multiples of their class's unit.
template <class Multiple>
struct Weights {
  std::vector<Multiple> multiple;
  std::vector<double> unit;
};

// Voting rows by class, padded so that each class begins at a multiple of kVotersTogether.
struct VotersByClass {
  std::vector<std::uint32_t> row;
  std::vector<double> weight;
  std::vector<std::int64_t> n_rows;
  std::vector<std::size_t> begin = {0};  // of class k; class k ends where k + 1 begins
  std::vector<double> class_weight;
  // Per class, a unit of which all weights are small multiples: 1 for integer weights, or the
  // common weight of the class. Empty if there is none.
  std::vector<double> unit;

  VotersByClass(const std::vector<Voter>& voters, int n_classes) : class_weight(n_classes, 0.0) {
    auto voter = voters.begin();
    for (int k = 0; k < n_classes; ++k) {
      for (; voter != voters.end() && voter->label == k; ++voter) {
        row.push_back(voter->row);
        weight.push_back(voter->weight);
        n_rows.push_back(voter->n_rows);
        class_weight[k] += voter->weight;
      }
      row.resize((row.size() + kVotersTogether - 1) / kVotersTogether * kVotersTogether, kNobody);
      weight.resize(row.size(), 0.0);
      n_rows.resize(row.size(), 0);
      begin.push_back(row.size());
    }
    find_units();
    // Rounded like the sums over children, so an empty child weighs exactly zero.
    for (std::size_t k = 0; k < unit.size(); ++k)
      class_weight[k] = unit[k] * std::round(class_weight[k] / unit[k]);
  }

 private:
  void find_units() {
    unit.assign(class_weight.size(), 1.0);
    for (std::size_t k = 0; k < class_weight.size(); ++k) {
      const auto from = weight.begin() + begin[k], to = weight.begin() + begin[k + 1];
      const auto whole = [&](double value) {
        return value / unit[k] == std::floor(value / unit[k]);
      };
      if (from != to && !std::all_of(from, to, whole)) unit[k] = *from;
      if (std::all_of(from, to, whole) && class_weight[k] <= kMost * unit[k]) continue;
      unit.clear();
      return;
    }
  }

  static constexpr double kMost = std::numeric_limits<std::int16_t>::max() - 1;
};

class Bisectors {
 public:
  explicit Bisectors(const Contest& contest)
      : contest_(contest),
        voters_(contest.voters, contest.node.target().n_classes()),
        total_(std::accumulate(voters_.class_weight.begin(), voters_.class_weight.end(), 0.0)),
        total_rows_(std::accumulate(voters_.n_rows.begin(), voters_.n_rows.end(), std::int64_t{0})),
        ranks_(Nearness(contest.node, contest.space, contest.poles), voters_.row, contest.context,
               [&contest](const std::vector<double>& near, Rank* rank) {
                 rank_poles(near, contest.space.rounding, rank);
               }) {}

  Shortlist best(std::size_t capacity) const {
    if (voters_.unit.empty()) {
      const std::vector<double> ones(voters_.class_weight.size(), 1.0);
      return best(capacity, Weights<double>{voters_.weight, ones});
    }
    Weights<std::int16_t> counts{std::vector<std::int16_t>(voters_.weight.size()), voters_.unit};
    for (std::size_t k = 0; k < counts.unit.size(); ++k)
      for (std::size_t i = voters_.begin[k]; i < voters_.begin[k + 1]; ++i)
        counts.multiple[i] = static_cast<std::int16_t>(voters_.weight[i] / counts.unit[k]);
    return best(capacity, counts);
  }

 private:
  template <class Weight>
  Shortlist best(std::size_t capacity, const Weights<Weight>& weights) const {
    return over_blocks(
        contest_, capacity, [&](std::size_t begin, std::size_t end, Shortlist& found) {
          std::vector<double> scratch;
          with_criterion(contest_.node.criterion(), voters_.class_weight.data(),
                         contest_.node.target().n_classes(), scratch, [&](auto criterion) {
                           search(criterion, weights, begin, end, found);
                           return true;
                         });
        });
  }

  // Pairs of the poles in [begin, end) with all later ones.
  template <class Criterion, class Weight>
  void search(Criterion& criterion, const Weights<Weight>& weights, std::size_t begin,
              std::size_t end, Shortlist& found) const {
    std::vector<double> nearer(contest_.node.target().n_classes());
    std::int64_t tried = 0;
    for (std::size_t b = begin + 1; b < contest_.poles.size(); ++b)
      for (std::size_t a = begin; a < std::min(b, end); ++a) {
        if (!contest_.admits(a, b)) continue;
        ++tried;
        weigh(weights, a, b, nearer);
        if (!large_enough(std::accumulate(nearer.begin(), nearer.end(), 0.0))) continue;
        criterion.set(nearer.data());
        const double score = criterion.score();
        if (score >= found.least() && enough_rows(a, b)) found.add({score, a, b});
      }
    contest_.context.hyperplanes += tried;
  }

  // Class weights on the side of pole b.
  template <class Weight>
  void weigh(const Weights<Weight>& weights, std::size_t a, std::size_t b,
             std::vector<double>& nearer) const {
    const Rank *to_a = ranks_.of(a), *to_b = ranks_.of(b);
    for (std::size_t k = 0; k < nearer.size(); ++k) {
      const std::size_t from = voters_.begin[k], n = voters_.begin[k + 1] - from;
      nearer[k] = weights.unit[k] *
                  weight_nearer(to_b + from, to_a + from, weights.multiple.data() + from, n);
    }
  }

  bool large_enough(double weight_b) const {
    const double smaller = std::min(weight_b, total_ - weight_b);
    return smaller > 0.0 && smaller >= contest_.limits.weight;
  }

  bool enough_rows(std::size_t a, std::size_t b) const {
    // Counts already exclude empty children; sums may differ from zero by rounding.
    if (contest_.limits.rows <= 1 && !voters_.unit.empty()) return true;
    const Rank *to_a = ranks_.of(a), *to_b = ranks_.of(b);
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < voters_.n_rows.size(); ++i)
      rows += to_b[i] < to_a[i] ? voters_.n_rows[i] : 0;
    return rows >= contest_.limits.rows && total_rows_ - rows >= contest_.limits.rows;
  }

  const Contest& contest_;
  const VotersByClass voters_;
  const double total_;
  const std::int64_t total_rows_;
  const VotersOfPoles<Rank> ranks_;
};

class Lines {
 public:
  explicit Lines(const Contest& contest)
      : contest_(contest), class_weight_(contest.node.target().n_classes(), 0.0) {
    std::vector<std::uint32_t> rows;
    bool weighted = false;
    for (const Voter& voter : contest.voters) {
      rows.push_back(voter.row);
      label_.push_back(voter.label);
      weight_.push_back(voter.weight);
      class_weight_[voter.label] += voter.weight;
      weighted = weighted || voter.weight != 1.0;
    }
    if (!weighted) weight_.clear();
    nearness_.emplace(Nearness(contest.node, contest.space, contest.poles), rows, contest.context,
                      [](const std::vector<double>& near, double* out) {
                        std::copy(near.begin(), near.end(), out);
                      });
  }

  Shortlist best(std::size_t capacity) const {
    return over_blocks(contest_, capacity,
                       [&](std::size_t begin, std::size_t end, Shortlist& found) {
                         for (std::size_t a = begin; a < end; ++a) search(a, found);
                       });
  }

 private:
  // Pairs of pole a with all later ones.
  void search(std::size_t a, Shortlist& found) const {
    contest_.context.supervisor.check();
    SweepRows rows;
    rows.n = label_.size();
    rows.label = label_.data();
    rows.total = class_weight_.data();
    rows.width = contest_.node.target().n_classes();
    rows.weight = weight_.empty() ? nullptr : weight_.data();
    rows.countable = weight_.empty();
    const LineSearch line(rows, contest_.node.criterion(), contest_.limits);
    std::vector<double> along(label_.size());
    const double* to_a = nearness_->of(a);
    for (std::size_t b = a + 1; b < contest_.poles.size(); ++b) {
      if (!contest_.admits(a, b)) continue;
      const double* to_b = nearness_->of(b);
      for (std::size_t i = 0; i < along.size(); ++i) along[i] = to_b[i] - to_a[i];
      const auto best = line.threshold(along.data(), contest_.space.rounding, found.least());
      contest_.context.hyperplanes += 1;
      if (best) found.add({best->score, a, b});
    }
  }

  const Contest& contest_;
  std::vector<std::int32_t> label_;
  std::vector<double> weight_;  // empty: all 1
  std::vector<double> class_weight_;
  std::optional<VotersOfPoles<double>> nearness_;
};

}  // namespace

Shortlist best_bisectors(const Contest& contest, std::size_t capacity) {
  return Bisectors(contest).best(capacity);
}

Shortlist best_lines(const Contest& contest, std::size_t capacity) {
  return Lines(contest).best(capacity);
}

}  // namespace aslant
