#include "search/sample_keys.hpp"

#include <algorithm>

#include "support/rng.hpp"

namespace aslant {

SampleKeys SampleKeys::first(std::uint64_t key, std::size_t wanted) {
  return {subkey(key, 0), wanted, 1};
}

SampleKeys SampleKeys::second(std::uint64_t key, std::size_t wanted, int n_present, int n_classes) {
  constexpr std::size_t kFewest = 100;
  const std::size_t all = std::max(wanted, kFewest);
  if (n_classes == 0) return {subkey(key, 3), all, 1};
  return {subkey(key, 3), std::max<std::size_t>(1, all / n_present), n_classes};
}

void SampleKeys::add(std::uint32_t row, std::uint64_t number, int label) {
  std::vector<Drawn>& heap = of_class_[of_class_.size() == 1 ? 0 : label];
  const Drawn drawn{sample_key(key_, number), row};
  if (heap.size() < wanted_) {
    heap.push_back(drawn);
    std::push_heap(heap.begin(), heap.end());
  } else if (drawn < heap.front()) {
    std::pop_heap(heap.begin(), heap.end());
    heap.back() = drawn;
    std::push_heap(heap.begin(), heap.end());
  }
}

std::vector<SampleKeys::Drawn> SampleKeys::drawn() const {
  std::vector<Drawn> all;
  for (const std::vector<Drawn>& heap : of_class_) all.insert(all.end(), heap.begin(), heap.end());
  std::sort(all.begin(), all.end(), [](const Drawn& a, const Drawn& b) { return a.row < b.row; });
  return all;
}

}  // namespace aslant
