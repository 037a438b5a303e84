// What every search is to the growth loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

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
  std::atomic<std::int64_t>& hyperplanes;  // count of hyperplanes considered

  // The context of an inner search.
  SearchContext below(std::uint64_t index) const {
    return {subkey(key, index), pool, supervisor, hyperplanes};
  }
};

class Search {
 public:
  virtual ~Search() = default;

  // The split of this node, in the units of the node's columns, or nothing.
  virtual std::optional<Split> find(const std::shared_ptr<const Node>& node,
                                    const SearchContext& context) const = 0;

  // Whether the search reads indicator columns; if not, they are not written out.
  virtual bool reads_indicators() const { return true; }

  // Whether the search itself decides that a split is worth making, so that growth need not ask
  // the score: a search that weighs a split's price returns nothing if it is too dear.
  virtual bool decides() const { return false; }
};

// Fewer values than this are searched faster by one thread than by several.
constexpr std::size_t kWorthSharing = 20000;

}  // namespace aslant
