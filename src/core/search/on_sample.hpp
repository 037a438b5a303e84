// A search for large nodes: on a sample of the rows first, finished on all of them.
#pragma once

#include "search/wrapper.hpp"

namespace aslant {

// The rows of a sample: those that draw the smallest lots, which parts of the rows can find one
// after the other.
class Lots {
 public:
  struct Drawn {
    std::uint64_t lot;
    std::uint32_t row;
    bool operator<(const Drawn& other) const { return lot < other.lot; }
  };

  // The sample that a node is searched on; and, where nothing was found in it, the second one, in
  // which every class has as many rows as far as it has them, and children need hold no more than a
  // row: all rows will decide.
  static Lots first(std::uint64_t key, std::size_t wanted);
  static Lots second(std::uint64_t key, std::size_t wanted, int n_present, int n_classes);

  void add(std::uint32_t row, std::uint64_t number, int label);
  std::vector<Drawn> drawn() const;               // by row
  std::size_t wanted() const { return wanted_; }  // of each class, in the second

 private:
  Lots(std::uint64_t key, std::size_t wanted, int n_classes);

  std::uint64_t key_;
  std::size_t wanted_;
  std::vector<std::vector<Drawn>> of_class_;  // heaps
};

class OnSample : public Wrapper {
 public:
  // Nodes with more rows than `rows` are searched on a random sample of that many. `climbs`: after
  // the threshold, the coefficients too are moved to their best places on all rows.
  OnSample(SearchPointer search, std::size_t rows, bool climbs)
      : Wrapper(std::move(search)), rows_(rows), climbs_(climbs) {}

  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;

 private:
  std::size_t rows_;
  bool climbs_;
};

}  // namespace aslant
