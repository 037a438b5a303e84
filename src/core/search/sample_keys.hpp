// The random sample of a node's rows: the rows with the smallest random keys.
#pragma once

#include <cstdint>
#include <vector>

namespace aslant {

// A row's key depends on its number alone: parts of the rows can be added in any order or place.
class SampleKeys {
 public:
  struct Drawn {
    std::uint64_t key;
    std::uint32_t row;
    bool operator<(const Drawn& other) const { return key < other.key; }
  };

  // The sample that a node is searched on.
  static SampleKeys first(std::uint64_t key, std::size_t wanted);
  // The second sample, used if the first yields no split: equally many rows per class, if there are
  // as many. `n_classes` is 0 for regression.
  static SampleKeys second(std::uint64_t key, std::size_t wanted, int n_present, int n_classes);

  void add(std::uint32_t row, std::uint64_t number, int label);
  std::vector<Drawn> drawn() const;               // by row
  std::size_t wanted() const { return wanted_; }  // of each class, in the second

 private:
  SampleKeys(std::uint64_t key, std::size_t wanted, int n_classes)
      : key_(key), wanted_(wanted), of_class_(n_classes) {}

  std::uint64_t key_;
  std::size_t wanted_;
  std::vector<std::vector<Drawn>> of_class_;  // heaps
};

}  // namespace aslant
