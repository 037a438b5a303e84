// Pole pairs: the perpendicular bisectors of pairs of rows.
#pragma once

#include "search/pole_contest.hpp"

namespace aslant {

struct PolePairOptions {
  enum class Scale { training, raw, node };
  static constexpr std::size_t kMostPoles = 16384;  // their table of ranks takes a gigabyte

  bool same_class;      // pairs of one class too
  bool all_thresholds;  // anywhere on the line through the poles, not only in its middle
  Scale scale;
  std::size_t exact_rows;  // distinct training rows up to which all pairs are tried
  std::size_t poles;       // beyond that: rows of a node up to which all of them are poles
};

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
