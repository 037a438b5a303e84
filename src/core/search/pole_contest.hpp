// Ranks pairs of poles by the score of their hyperplanes on the voting rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "search/poles.hpp"

namespace aslant {

// Smaller differences of scores are rounding.
constexpr double kEqualScores = 1e-12;

// Poles, voting rows and rules.
struct Contest {
  const Node& node;
  const Space& space;
  std::vector<Pole> poles;
  std::vector<Voter> voters;
  ChildLimits limits;
  bool same_class;  // whether poles of one class may form a pair
  const SearchContext& context;

  bool admits(std::size_t a, std::size_t b) const {
    return same_class || poles[a].only_class < 0 || poles[a].only_class != poles[b].only_class;
  }
};

struct Contestant {
  double score;
  std::size_t a, b;  // poles; a comes before b

  bool precedes(const Contestant& other) const {
    return a < other.a || (a == other.a && b < other.b);
  }
};

// The best candidates, with distinct scores: of equals, the first pair.
class Shortlist {
 public:
  explicit Shortlist(std::size_t capacity) : capacity_(capacity) {}

  // Candidates below this score are dropped.
  double least() const {
    return kept_.size() == capacity_ ? kept_.back().score - kEqualScores : kAnyScore;
  }
  void add(const Contestant& candidate) {
    if (candidate.score < least()) return;
    for (Contestant& kept : kept_)
      if (std::abs(kept.score - candidate.score) <= kEqualScores) {
        if (candidate.precedes(kept)) kept = candidate;
        return;
      }
    const auto place = std::find_if(kept_.begin(), kept_.end(), [&](const Contestant& kept) {
      return kept.score < candidate.score;
    });
    kept_.insert(place, candidate);
    if (kept_.size() > capacity_) kept_.pop_back();
  }
  const std::vector<Contestant>& candidates() const { return kept_; }

 private:
  std::size_t capacity_;
  std::vector<Contestant> kept_;
};

// Perpendicular bisectors of the pairs.
Shortlist best_bisectors(const Contest& contest, std::size_t capacity);

// Hyperplanes anywhere on the line through a pair.
Shortlist best_lines(const Contest& contest, std::size_t capacity);

}  // namespace aslant
