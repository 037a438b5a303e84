#include "growth/forest.hpp"

#include <algorithm>
#include <atomic>

#include "support/rng.hpp"

namespace aslant {

namespace {

// Random streams derived from a tree's seed.
constexpr std::uint64_t kDrawing = 0, kGrowing = 1;

std::shared_ptr<const Problem> problem_of(const Problem& all, const Bootstrap& bootstrap,
                                          std::uint64_t seed) {
  const std::shared_ptr<const Features>& features = all.shared_features();
  std::shared_ptr<const Target> target = all.shared_target();
  if (bootstrap.n_drawn == 0) return std::make_shared<Problem>(features, target, all.rules());
  const std::vector<std::uint32_t> rows = drawn_rows(seed, target->n_rows(), bootstrap.n_drawn);
  if (bootstrap.balanced) target = std::make_shared<ClassTarget>(target->classes()->balanced(rows));
  return std::make_shared<Problem>(features, target, rows, all.rules());
}

// Drops what a member of a forest does not need.
void trim(GrownTree& tree) {
  tree.rows = {};
  tree.row_begin = {};
  tree.gain = {};
}

}  // namespace

std::vector<std::uint32_t> drawn_rows(std::uint64_t seed, std::int64_t n_rows,
                                      std::int64_t n_drawn) {
  Rng rng(subkey(seed, kDrawing));
  std::vector<std::uint32_t> rows(n_drawn);
  for (std::uint32_t& row : rows)
    row = static_cast<std::uint32_t>(rng.below(static_cast<int>(n_rows)));
  return rows;
}

std::vector<GrownTree> grow_forest(const Problem& problem, const Bootstrap& bootstrap,
                                   const Search& search, const StoppingRules& stopping,
                                   const std::vector<std::uint64_t>& seeds, int n_threads,
                                   std::function<void(std::int64_t)> look_outside) {
  std::vector<GrownTree> trees(seeds.size());
  std::atomic<std::int64_t> done{0};
  Supervisor supervisor([&] { look_outside(done); });
  const auto n_trees = static_cast<int>(seeds.size());
  try {
    ThreadPool pool(std::min(n_threads, n_trees), supervisor);
    pool.for_each(n_trees, [&](int t) {
      supervisor.check();
      trees[t] = grow(problem_of(problem, bootstrap, seeds[t]), search, stopping,
                      {scramble(subkey(seeds[t], kGrowing))}, 1,
                      [&](std::int64_t) { supervisor.check(); });
      trim(trees[t]);
      ++done;
    });
  } catch (...) {
    supervisor.rethrow_cause();
    throw;
  }
  return trees;
}

}  // namespace aslant
