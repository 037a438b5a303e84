// Static traits of a criterion, and the use of its optional members.
//
// Required static members:
//   kName        its name
//   kTask        from its base class
//   kConvex      whether the score is convex in the statistics of child 0: then the corners of
//                a box of statistics bound the box, and no best cut splits a run of one class
//   kLeastScore  the lowest score of an accepted split
// Optional:
//   kBoundsBins    score_bins() and mark_bins() evaluate all bins of a line at once
//   kComparesFast  compares_fast() tells whether beats(score) needs no division
//   kUsesCounts    use_counts() announces integer weights with exact products
//   kHasLimit      limit() is the limit of the score where score() is not finite
#pragma once

#include <type_traits>
#include <vector>

namespace aslant {

enum class Task { classification, regression };

// A decrease of zero is accepted: it may lead to a good split below (exclusive or).
constexpr double kZeroIsFollowed = -1e-12;
// A score of zero separates nothing.
constexpr double kMustBePositive = 1e-14;

using ChildStatistics = std::vector<std::vector<double>>;

// A comparison without a division must not reject a score that is equal up to rounding.
constexpr double kJustLess = 1.0 - 1e-13;

// Whether the criterion works on regression targets.
template <class Criterion>
constexpr bool kIsRegression = Criterion::kTask == Task::regression;

// Whether comparing is currently cheaper than scoring.
template <class Criterion>
bool compares_fast(const Criterion& criterion) {
  if constexpr (Criterion::kComparesFast)
    return criterion.compares_fast();
  else
    return false;
}

// Whether the partition scores more than `known`.
template <class Criterion>
bool beats(const Criterion& criterion, double known) {
  if constexpr (Criterion::kComparesFast)
    return criterion.beats(known);
  else
    return criterion.score() > known;
}

// Whether this corner of a box of statistics allows a score above `wanted` inside the box.
template <class Criterion>
bool corner_beats(const Criterion& criterion, double wanted) {
  if (criterion.one_is_empty()) return Criterion::kBoundOfEmptyChild > wanted;
  if constexpr (Criterion::kHasLimit)
    return criterion.limit() > wanted;
  else
    return beats(criterion, wanted);
}

template <class Criterion, class = void>
struct HasMultiwayScore : std::false_type {};
template <class Criterion>
struct HasMultiwayScore<Criterion, std::void_t<decltype(&Criterion::multiway_score)>>
    : std::true_type {};

}  // namespace aslant
