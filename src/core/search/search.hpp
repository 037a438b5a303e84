// The interface between searches and the growth loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "node/node.hpp"
#include "search/split.hpp"
#include "support/parallel.hpp"
#include "support/rng.hpp"

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

  // The legacy that this search left at the parent's split; null if another search made it.
  template <class T>
  const T* legacy_of(const Search& search) const {
    return legacy && legacy->owner == &search ? static_cast<const T*>(legacy.get()) : nullptr;
  }

  // Calls body(i) for i = 0..n-1, on idle threads too if `work`, in values read, is large.
  template <class Body>
  void share(int n, std::size_t work, const Body& body) const {
    if (work >= kWorthSharing) {
      pool.for_each(n, body);
    } else {
      for (int i = 0; i < n; ++i) body(i);
    }
  }

 private:
  // One thread is faster below this number of values.
  static constexpr std::size_t kWorthSharing = 20000;
};

using NodePointer = std::shared_ptr<const Node>;

// What growth asks of a search beforehand; every search header states its traits.
struct SearchTraits {
  // The search itself rejects weak splits, so growth does not compare scores.
  bool decides = false;
  // The search reads columns singly or as sums of few terms: sparse tables stay sparse.
  bool reads_sparse = false;
};

// A search implements `find`; optional capabilities are the base classes in capabilities.hpp.
class Search {
 public:
  virtual ~Search() = default;

  // The split in the units of the node's columns, or nothing. Its score is the gain under the
  // tree's criterion, whatever the search optimizes.
  virtual std::optional<Split> find(const NodePointer& node,
                                    const SearchContext& context) const = 0;

  // Limits of the children here; a search may be stricter than the tree.
  virtual ChildLimits limits_at(const Node& node) const { return node.limits(); }

  virtual SearchTraits traits() const { return {}; }
};

using SearchPointer = std::shared_ptr<const Search>;

// The best score known to any part of a search; lines that cannot reach it stop early. Results do
// not depend on timing, as the optimum is never lost.
class BestScore {
 public:
  explicit BestScore(double score = kAnyScore) : score_(score) {}
  double get() const { return score_.load(std::memory_order_relaxed); }
  void raise(double score) {
    double known = get();
    while (score > known && !score_.compare_exchange_weak(known, score)) {
    }
  }

 private:
  std::atomic<double> score_;
};

// The coefficients of a hyperplane, one for each column of the node.
std::vector<double> direction_of(const Node& node, const Split& split);

// Drops the terms of other columns, which were constant for the search, and the legacy, as the
// nodes below may see other columns. `columns` ascend.
void keep_only(const std::vector<int>& columns, Split& split);

// Keeps the better of two splits; the first on ties.
inline void keep_better(std::optional<Split>& best, std::optional<Split> split) {
  if (split && (!best || split->score > best->score)) best = std::move(split);
}

}  // namespace aslant
