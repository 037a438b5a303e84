// Optional capabilities of a search, declared by inheritance.
#pragma once

#include "line/line_bins.hpp"
#include "search/search.hpp"

namespace aslant {

class ViewSearch;

// ---------------------------------------------------------------- subsets of the columns

// A test found for some of a node's columns.
struct Candidate {
  Split split;
  double accuracy = 0.0;   // share of the weight in the majority classes of the children
  bool separates = false;  // every child holds enough rows; if not, the score is zero
};

// Answers repeated queries about the same rows with more or fewer columns.
class SubsetSearch {
 public:
  virtual ~SubsetSearch() = default;

  virtual std::optional<Candidate> find(const std::vector<int>& columns) = 0;

  // The next column sets differ from this one by one column.
  virtual void settle_on(const std::vector<int>&) {}
};

// Searches column subsets incrementally: results for one subset speed up the next.
class SearchesSubsets {
 public:
  virtual ~SearchesSubsets() = default;
  virtual std::unique_ptr<SubsetSearch> on_subsets(const NodePointer& node,
                                                   const SearchContext& context) const = 0;
};

// Works for any search by making the other columns constant.
std::unique_ptr<SubsetSearch> on_subsets(const Search& search, const NodePointer& node,
                                         const SearchContext& context);

// ---------------------------------------------------------------- samples of large nodes

struct Proposal {
  Split split;
  const Search* by;
};

// A combination of searches; each proposes a split and finishes it by its own rules.
class CombinesSearches {
 public:
  virtual ~CombinesSearches() = default;
  virtual const std::vector<SearchPointer>& searches() const = 0;
};

// Finishes a split found on a sample by its own rules. Other searches get the exact threshold along
// their direction; their linear machines stay as fitted to the sample.
class OwnFinish {
 public:
  virtual ~OwnFinish() = default;
  // The only column of `line` is the projection of the rows.
  virtual std::optional<Split> finish_on_line(const Node& line) const = 0;
  // A linear machine over the levels of a category.
  virtual std::optional<Split> finish_on_category(const Node&, const CategoryGroup&) const {
    return std::nullopt;
  }
};

// Needs all rows, not only sums or projections, to finish a split: cannot run on partitioned rows.
class FindsOnSample {
 public:
  virtual ~FindsOnSample() = default;
  virtual std::optional<Split> find_on_sample(const NodePointer& node, const NodePointer& sample,
                                              const SearchContext& context) const = 0;
};

// Splits proposed for a large node from a sample of its rows.
std::vector<Proposal> propose(const Search& search, const NodePointer& sample,
                              const SearchContext& context);

// The searches that propose(), in order.
std::vector<const Search*> parts_of(const Search& search);

// Finds a split on a sample and finishes it on all rows.
std::optional<Split> find_on_sample(const Search& search, const NodePointer& node,
                                    const NodePointer& sample, const SearchContext& context);

// Whether finishing needs only sums over the rows or their projections.
bool finishes_on_lines(const Search& search);

constexpr std::size_t kLineBins = 1024;  // of the projection on which a threshold is finished

// Projected rows: see line_bins.hpp.
LineTarget line_target(const Node& node);
LineRow line_row(const Node& node, std::size_t row, double at);

// ---------------------------------------------------------------- small nodes

// Has a version for small nodes (numeric columns, regression target, no missing values) that reads
// the table in place: building a Node costs more than searching it.
class HasSmallNodeSearch {
 public:
  virtual ~HasSmallNodeSearch() = default;
  virtual const ViewSearch* of_small_nodes() const = 0;  // null: unsupported options
};

const ViewSearch* small_node_search(const Search& search);

}  // namespace aslant
