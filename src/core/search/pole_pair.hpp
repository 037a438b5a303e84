// Pole pairs: the perpendicular bisectors of pairs of rows.
#pragma once

#include "search/pole_contest.hpp"

namespace aslant {

struct PolePairOptions {
  enum class Scale { training, raw, node };
  static constexpr std::size_t kMostPoles = 16384;  // their rank table takes a gigabyte

  bool same_class;      // also pairs of one class
  bool all_thresholds;  // anywhere on the line through the poles, not only halfway
  Scale scale;
  std::size_t exact_rows;  // distinct training rows up to which all pairs are tried
  std::size_t poles;       // beyond that: rows of a node up to which all of them are poles
};

// Traits: classes only; no sparse tables; does not decide; random poles in large nodes.
// Reads: varying columns in units of the chosen scale, labels, weights, limits.
// Writes: hyperplanes; score = gain; no legacy.
class PolePair : public Search {
 public:
  explicit PolePair(const PolePairOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  bool fits_in_memory(const Node& node, std::size_t n_distinct) const;
  std::optional<Split> among_all(const Node& node, const Space& space,
                                 const SearchContext& context) const;
  std::optional<Split> among_some(const Node& node, const Space& space, const RowSampler& sampler,
                                  const SearchContext& context) const;
  std::optional<Split> best_split(const Contest& contest, const Shortlist& shortlist) const;

  PolePairOptions options_;
};

}  // namespace aslant
