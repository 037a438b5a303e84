// What every search is to the growth loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

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
  std::atomic<std::int64_t>& hyperplanes;                       // count of hyperplanes considered
  int depth = 0;                                                // of the node: 0 is the root
  std::shared_ptr<const std::vector<double>> legacy = nullptr;  // left by the parent's split

  // The context of an inner search.
  SearchContext below(std::uint64_t index) const {
    return {subkey(key, index), pool, supervisor, hyperplanes, depth, legacy};
  }
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

class Search {
 public:
  virtual ~Search() = default;

  // The split of this node, in the units of the node's columns, or nothing.
  virtual std::optional<Split> find(const std::shared_ptr<const Node>& node,
                                    const SearchContext& context) const = 0;

  // The search on subsets of the columns. What any search can do is to look at a copy of the node
  // in which only those columns vary.
  virtual std::unique_ptr<SubsetSearch> on_subsets(const std::shared_ptr<const Node>& node,
                                                   const SearchContext& context) const;

  // Whether the search reads indicator columns; if not, they are not written out.
  virtual bool reads_indicators() const { return true; }

  // Whether the search itself decides that a split is worth making, so that growth need not ask
  // the score: a search that weighs a split's price returns nothing if it is too dear.
  virtual bool decides() const { return false; }
};

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

// Fewer values than this are searched faster by one thread than by several.
constexpr std::size_t kWorthSharing = 20000;

}  // namespace aslant
