// What every search is to the growth loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "line_bins.hpp"
#include "node.hpp"
#include "parallel.hpp"
#include "rng.hpp"
#include "split.hpp"

namespace aslant {

// What a search may use besides the node.
struct SearchContext {
  std::uint64_t key;       // of the node's random streams: Rng(subkey(key, i)) is the i-th
  ThreadPool& pool;        // idle threads, for independent parts of one search
  Supervisor& supervisor;  // check() it in long loops
  std::atomic<std::int64_t>& hyperplanes;          // count of hyperplanes considered
  int depth = 0;                                   // of the node: 0 is the root
  std::shared_ptr<const Legacy> legacy = nullptr;  // left by the parent's split

  // The context of an inner search.
  SearchContext below(std::uint64_t index) const {
    SearchContext inner = *this;
    inner.key = subkey(key, index);
    return inner;
  }
  SearchContext with_legacy(std::shared_ptr<const Legacy> inherited) const {
    SearchContext inner = *this;
    inner.legacy = std::move(inherited);
    return inner;
  }

  // What this very search left to the nodes below its split; null if the split was another's.
  template <class T>
  const T* legacy_of(const Search& search) const {
    return legacy && legacy->owner == &search ? static_cast<const T*>(legacy.get()) : nullptr;
  }

  // Calls body(i) for i = 0..n-1, on idle threads too if `work`, a number of values to look at, is
  // worth the trouble.
  template <class Body>
  void share(int n, std::size_t work, const Body& body) const {
    if (work >= kWorthSharing) {
      pool.for_each(n, body);
    } else {
      for (int i = 0; i < n; ++i) body(i);
    }
  }

 private:
  // Fewer values than this are searched faster by one thread than by several.
  static constexpr std::size_t kWorthSharing = 20000;
};

// A test found for some of a node's columns.
struct Candidate {
  Split split;
  double accuracy = 0.0;   // share of the weight in the majority classes of the children
  bool separates = false;  // every child holds enough rows; if not, the score is zero
};

// A search that is asked again and again about the same rows, with more columns or fewer.
class SubsetSearch {
 public:
  virtual ~SubsetSearch() = default;

  // The test over these columns, or nothing.
  virtual std::optional<Candidate> find(const std::vector<int>& columns) = 0;

  // The next sets of columns will differ from this one by one column.
  virtual void settle_on(const std::vector<int>&) {}
};

class ViewSearch;
class Search;

// A split found on a sample, and the search that found it.
struct Proposal {
  Split split;
  const Search* by;
};

using NodePointer = std::shared_ptr<const Node>;

class Search {
 public:
  virtual ~Search() = default;

  // The split of this node, in the units of the node's columns, or nothing. Its score is the gain
  // under the tree's criterion, whatever the search itself goes by.
  virtual std::optional<Split> find(const NodePointer& node,
                                    const SearchContext& context) const = 0;

  // The search on subsets of the columns. What any search can do is to look at the node with only
  // those columns varying.
  virtual std::unique_ptr<SubsetSearch> on_subsets(const NodePointer& node,
                                                   const SearchContext& context) const;

  // What the children of a split must hold here: a search may ask for more than the tree does.
  virtual ChildLimits limits_at(const Node& node) const { return node.limits(); }

  // What the search proposes for a large node, having seen a sample of its rows only.
  virtual std::vector<Proposal> propose(const NodePointer& sample,
                                        const SearchContext& context) const;

  // The searches that propose() asks, in their order.
  virtual std::vector<const Search*> parts() const { return {this}; }

  // A proposal of this very search, finished on all rows of the node. What any search of
  // hyperplanes can do is to look for the exact threshold; a machine stays what the sample taught
  // it.
  std::optional<Split> finished(const NodePointer& node, const NodePointer& sample,
                                const Split& split) const;

  // Whether the search finishes hyperplanes, and machines over the levels of a category, by rules
  // of its own; then it says how: given the rows' places on the line as the only column, or the
  // levels of the rows.
  virtual bool has_own_finish() const { return false; }
  virtual std::optional<Split> finish_on_line(const Node& line) const;
  virtual std::optional<Split> finish_on_category(const Node& node,
                                                  const CategoryGroup& group) const;

  // Whether sums over all rows, or their places on a line, are all that finishing needs.
  virtual bool finishes_on_lines() const { return true; }

  // The split of a large node, found on a sample of its rows and finished on all of them.
  virtual std::optional<Split> find_on_sample(const NodePointer& node, const NodePointer& sample,
                                              const SearchContext& context) const;

  // The same search for nodes of few rows, with numbers for columns and target and nothing missing,
  // which are then read in place: making a Node costs more than searching it. Null: there is none.
  virtual const ViewSearch* of_small_nodes() const { return nullptr; }

  // Whether the search itself decides that a split is worth making, so that growth need not ask
  // the score: a search that weighs a split's price returns nothing if it is too high.
  virtual bool decides() const { return false; }
};

using SearchPointer = std::shared_ptr<const Search>;

// The best score that any part of a search knows. Lines that cannot reach it need not be searched
// to the end; the result does not depend on which part was faster, for the best of all is never
// lost.
class BestScore {
 public:
  explicit BestScore(double score = LineSearch::kAnyScore) : score_(score) {}
  double get() const { return score_.load(std::memory_order_relaxed); }
  void raise(double score) {
    double known = get();
    while (score > known && !score_.compare_exchange_weak(known, score)) {
    }
  }

 private:
  std::atomic<double> score_;
};

// Bins of a line on which a threshold is finished.
constexpr std::size_t kLineBins = 1024;

// The coefficients of a hyperplane, one for each column of the node.
std::vector<double> direction_of(const Node& node, const Split& split);

// The rows of a node on a line: see line_bins.hpp.
LineTarget line_target(const Node& node);
LineRow line_row(const Node& node, std::size_t row, double at);

// The other columns were zero for the search, so whatever coefficients it gave them, it meant none.
// What it leaves to the nodes below is dropped: they may be shown other columns. `columns` ascend.
void keep_only(const std::vector<int>& columns, Split& split);

// Keeps the better of two splits; the first on ties.
inline void keep_better(std::optional<Split>& best, std::optional<Split> split) {
  if (split && (!best || split->score > best->score)) best = std::move(split);
}

}  // namespace aslant
