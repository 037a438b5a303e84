// P. J. Tan and D. L. Dowe, MML Inference of Oblique Decision Trees, Proceedings of the 17th
// Australian Joint Conference on Artificial Intelligence, LNAI 3339, 2004, section 2.2.
//
// The published strategy moves one coefficient or the threshold at a time and keeps improvements.
// The sweep evaluates every cut along each direction and favors promising feature sets.

#include "search/mml.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "search/mml_tests.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

double normal(Rng& rng) {  // Box and Muller
  const double radius = std::sqrt(-2.0 * std::log(1.0 - rng.uniform()));
  return radius * std::cos(2.0 * std::acos(-1.0) * rng.uniform());
}

void normalize(std::vector<double>& w) {
  double squares = 0.0;
  for (double value : w) squares += value * value;
  for (double& value : w) value /= std::sqrt(squares);
}

std::vector<double> random_direction(int d, Rng& rng) {
  std::vector<double> w(d);
  for (double& value : w) value = normal(rng);
  normalize(w);
  return w;
}

// d of 0..n-1 at random, ascending.
std::vector<int> random_subset(int n, int d, Rng& rng) {
  std::vector<int> chosen;
  for (int i = n - d; i < n; ++i) {  // Floyd: every subset is equally likely
    const int candidate = rng.below(i + 1);
    const bool taken = std::find(chosen.begin(), chosen.end(), candidate) != chosen.end();
    chosen.push_back(taken ? i : candidate);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

// The column through which a linear test reads an attribute; of a category, one level.
int random_column(const Attribute& attribute, Rng& rng) {
  if (attribute.group < 0) return attribute.column;
  const auto n_levels = static_cast<int>(attribute.levels.size());
  return attribute.column + attribute.levels[n_levels == 2 ? 0 : rng.below(n_levels)];
}

void keep_better(CandidateTest& best, CandidateTest&& test) {
  if (test.bits < best.bits) best = std::move(test);
}

// A feature set and its best test so far.
class Climber {
 public:
  // Starts from `base`, a test of some of these attributes, if given.
  Climber(const MessageNode& node, std::vector<int> attributes, const CandidateTest* base,
          std::uint64_t key)
      : node_(node), rng_(key) {
    std::vector<int> columns;
    for (int attribute : attributes) {
      const auto at = base ? std::find(base->attributes.begin(), base->attributes.end(), attribute)
                           : std::vector<int>::const_iterator();
      if (base && at != base->attributes.end()) {
        const auto place = at - base->attributes.begin();
        columns.push_back(base->columns[place]);
        start_.push_back(base->w[place]);
      } else {
        columns.push_back(random_column(node.attributes()[attribute], rng_));
        start_.push_back(0.0);
      }
    }
    if (!base) start_.clear();
    space_ = node.space(std::move(attributes), std::move(columns));
  }

  void climb(std::int64_t rounds) {
    for (std::int64_t i = 0; i < rounds; ++i, ++steps_) step();
  }
  const CandidateTest& best() const { return best_; }
  std::int64_t steps() const { return steps_; }

 private:
  // Random directions first, then steps from the best, shorter after each failure.
  void step() {
    const auto d = static_cast<int>(space_.columns.size());
    const bool probes = steps_ < kProbes || !best_.exists();
    std::vector<double> w = random_direction(d, rng_);
    if (steps_ == 0 && !start_.empty()) {
      for (int c = 0; c < d; ++c) w[c] = start_[c] + 0.2 * w[c];
      normalize(w);
    } else if (!probes) {
      for (int c = 0; c < d; ++c) w[c] = best_.w[c] + reach_ * w[c];
      normalize(w);
    }
    CandidateTest test = node_.best_cut(space_, w);
    const bool better = test.bits < best_.bits;
    if (!probes) reach_ = better ? std::min(1.0, reach_ * 1.5) : std::max(1e-4, reach_ * 0.85);
    if (better) best_ = std::move(test);
  }

  static constexpr int kProbes = 3;

  const MessageNode& node_;
  Rng rng_;
  TestSpace space_;
  std::vector<double> start_;
  CandidateTest best_;
  double reach_ = 0.5;
  std::int64_t steps_ = 0;
};

// Sets of d attributes: all if few; else extensions of the best test of d - 1, and random sets.
std::vector<std::vector<int>> attribute_sets(int n, int d, int how_many, const CandidateTest& base,
                                             Rng& rng) {
  std::vector<std::vector<int>> sets;
  if (subset_bits(n, d) <= std::log2(how_many) + 1e-9) {
    std::vector<char> chosen(n, 0);
    std::fill_n(chosen.begin(), d, 1);
    do {
      sets.emplace_back();
      for (int a = 0; a < n; ++a)
        if (chosen[a]) sets.back().push_back(a);
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
    return sets;
  }
  std::vector<int> others;
  for (int a = 0; a < n; ++a)
    if (std::find(base.attributes.begin(), base.attributes.end(), a) == base.attributes.end())
      others.push_back(a);
  const int n_extensions = std::min((how_many + 1) / 2, static_cast<int>(others.size()));
  for (int other : random_subset(static_cast<int>(others.size()), n_extensions, rng)) {
    sets.push_back(base.attributes);
    sets.back().push_back(others[other]);
    std::sort(sets.back().begin(), sets.back().end());
  }
  while (static_cast<int>(sets.size()) < how_many) sets.push_back(random_subset(n, d, rng));
  return sets;
}

class SweepStrategy {
 public:
  SweepStrategy(const MessageNode& node, const MmlOptions& options, const SearchContext& context)
      : node_(node), options_(options), context_(context) {}

  CandidateTest run() {
    CandidateTest base = best_single(), best;
    if (node_.smallest_test() < 2) best = base;
    for (int d = 2; d <= node_.largest_tried(); ++d) {
      base = best_linear(d, base);
      if (d >= node_.smallest_test() && base.bits < best.bits) best = base;
    }
    return best;
  }

 private:
  CandidateTest best_single() {
    const auto n = static_cast<int>(node_.attributes().size());
    std::vector<CandidateTest> tests(n);
    share(n, [&](int a) { tests[a] = node_.best_single(a); });
    CandidateTest best;
    for (CandidateTest& test : tests) keep_better(best, std::move(test));
    return best;
  }

  // Successive halving: every set gets some directions, the better half twice as many, and so on.
  // Fewer sets than restarts get more each.
  CandidateTest best_linear(int d, const CandidateTest& base) {
    const std::uint64_t key = subkey(context_.key, static_cast<std::uint64_t>(d));
    Rng rng(subkey(key, 0));
    const auto n = static_cast<int>(node_.attributes().size());
    const bool extends = base.exists() && base.columns.size() == base.attributes.size();
    const auto sets = attribute_sets(n, d, options_.restarts, base, rng);
    std::vector<std::unique_ptr<Climber>> field(sets.size());
    share(static_cast<int>(sets.size()), [&](int i) {
      const bool inherits =
          extends && std::includes(sets[i].begin(), sets[i].end(), base.attributes.begin(),
                                   base.attributes.end());
      field[i] = std::make_unique<Climber>(node_, sets[i], inherits ? &base : nullptr,
                                           subkey(key, static_cast<std::uint64_t>(i) + 1));
    });
    const auto n_sets = static_cast<std::int64_t>(sets.size());
    for (auto rounds = std::int64_t{options_.rounds} * options_.restarts / n_sets;; rounds *= 2) {
      share(static_cast<int>(field.size()), [&](int i) { field[i]->climb(rounds); });
      std::stable_sort(field.begin(), field.end(), [](const auto& a, const auto& b) {
        return a->best().bits < b->best().bits;
      });
      const std::size_t kept = field.size() / 2;
      for (std::size_t i = std::max<std::size_t>(kept, 1); i < field.size(); ++i)
        context_.hyperplanes += field[i]->steps();
      if (kept == 0) break;
      field.resize(kept);
    }
    context_.hyperplanes += field[0]->steps();
    return field[0]->best();
  }

  template <class Body>
  void share(int n, const Body& body) {
    context_.share(n, node_.node().n_rows() * static_cast<std::size_t>(n), [&](int i) {
      context_.supervisor.check();
      body(i);
    });
  }

  const MessageNode& node_;
  const MmlOptions& options_;
  const SearchContext& context_;
};

// Section 2.2, one restart: coefficients and threshold change one at a time, by normal steps.
CandidateTest evolve(const MessageNode& node, int rounds, Rng& rng, Supervisor& supervisor) {
  const auto n = static_cast<int>(node.attributes().size());
  const int fewest = node.smallest_test();
  const int d = fewest + rng.below(node.largest_tried() - fewest + 1);
  std::vector<int> attributes = random_subset(n, d, rng), columns;
  for (int attribute : attributes)
    columns.push_back(random_column(node.attributes()[attribute], rng));
  const TestSpace space = node.space(std::move(attributes), std::move(columns));
  std::vector<double> w = random_direction(d, rng);
  double threshold = 0.0;
  for (double value : w) threshold += value * rng.uniform();  // through a random point of the cube
  double bits = node.cut_bits(space, w, threshold);
  for (int round = 0; round < rounds; ++round) {
    if (round % 64 == 0) supervisor.check();
    std::vector<double> changed = w;
    double moved = threshold;
    const int j = rng.below(d + 1);
    (j < d ? changed[j] : moved) += normal(rng);
    const double changed_bits = node.cut_bits(space, changed, moved);
    if (!(changed_bits < bits)) continue;
    bits = changed_bits;
    double squares = 0.0;
    for (double value : changed) squares += value * value;
    threshold = moved / std::sqrt(squares);
    w = std::move(changed);
    normalize(w);
  }
  CandidateTest best;
  best.bits = bits + space.charge;
  best.attributes = space.attributes;
  best.columns = space.columns;
  best.w = std::move(w);
  best.cut = threshold;
  return best;
}

CandidateTest evolution(const MessageNode& node, const MmlOptions& options,
                        const SearchContext& context) {
  std::vector<CandidateTest> tests(options.restarts);
  context.pool.for_each(options.restarts, [&](int i) {
    Rng rng(subkey(context.key, static_cast<std::uint64_t>(i)));
    tests[i] = evolve(node, options.rounds, rng, context.supervisor);
  });
  context.hyperplanes += static_cast<std::int64_t>(options.restarts) * (options.rounds + 1);
  CandidateTest best;
  for (CandidateTest& test : tests) keep_better(best, std::move(test));
  return best;
}

}  // namespace

CandidateTest Mml::best_test(const MessageNode& message, const SearchContext& context) const {
  if (message.attributes().empty()) return {};
  return options_.strategy == MmlOptions::Strategy::evolution
             ? evolution(message, options_, context)
             : SweepStrategy(message, options_, context).run();
}

std::optional<Split> Mml::find(const NodePointer& node, const SearchContext& context) const {
  const MessageNode message(*node, options_, context.depth == 0);
  return message.split_worth_making(best_test(message, context));
}

// The sample chooses features and direction; all rows choose the cut of shortest message.
std::optional<Split> Mml::find_on_sample(const NodePointer& node, const NodePointer& sample,
                                         const SearchContext& context) const {
  const MessageNode of_sample(*sample, options_, context.depth == 0);
  const CandidateTest found = best_test(of_sample, context);
  const MessageNode message(*node, options_, context.depth == 0);
  return message.split_worth_making(message.cut_again(found, of_sample));
}

namespace {

const RegisteredSearch mml_registered("MML", [](Options& options) {
  using Strategy = MmlOptions::Strategy;
  return std::make_shared<Mml>(MmlOptions{
      options.choice<Strategy>("strategy",
                               {{"sweep", Strategy::sweep}, {"evolution", Strategy::evolution}}),
      options.count("min_features"), options.count("max_features"), options.count("features_tried"),
      options.count("restarts"), options.count("rounds"), options.number("alpha"),
      options.choice<DirectionCode>("direction", {{"paper", DirectionCode::paper},
                                                  {"paper_all", DirectionCode::paper_all},
                                                  {"cap", DirectionCode::cap}}),
      options.choice<PositionCode>(
          "position",
          {{"gap", PositionCode::gap}, {"pair", PositionCode::pair}, {"none", PositionCode::none}}),
      options.flag("charges_attributes"), options.number("min_saving")});
});

}  // namespace

}  // namespace aslant
