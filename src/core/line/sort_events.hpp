// Sorting the breakpoints of a line search.
//
// Large arrays: three stable counting passes over the upper 24 or 33 bits of the order-preserving
// bit pattern, then comparison sorts of the few runs that agree in them. Small arrays: std::sort.
// Both order by position, ties by row. Events of one bin are close and evenly spread, so they are
// counted into places of equal width.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace aslant {

// A row changes side at position `at`.
struct Event {
  double at;
  std::uint32_t row;
  std::uint32_t label_and_side;  // class code * 2 + (1 if the row enters child 0 here)
};

inline bool operator<(const Event& a, const Event& b) {
  return a.at < b.at || (a.at == b.at && a.row < b.row);
}

// Unsigned integers ordered like the finite doubles they encode.
inline std::uint64_t ordered_bits(double value) {
  value += 0.0;  // -0.0 and 0.0 are the same position
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits ^ (bits >> 63 ? ~std::uint64_t{0} : std::uint64_t{1} << 63);
}

class EventSorter {
 public:
  // Sorts events given in ascending order of row.
  void sort(std::vector<Event>& events) {
    if (events.size() < 300)
      return sort_evenly_spread(events.data(), events.data() + events.size());
    bits_ = events.size() < 16384 ? 8 : 11;  // few buckets stay in cache, many leave short runs
    sort_by_upper_bits(events);
    sort_runs(events);
  }

  // The same for events spread evenly between the first and the last.
  void sort_evenly_spread(Event* begin, Event* end) {
    // Thresholds for insertion sort, comparison sort, and insertion within one place.
    constexpr std::size_t kVeryFew = 24, kFew = 48, kMany = 16;
    const auto n = static_cast<std::size_t>(end - begin);
    if (n <= kVeryFew) return sort_by_insertion(begin, end);
    const auto before = [](const Event& a, const Event& b) { return a.at < b.at; };
    if (n < kFew) return std::sort(begin, end);
    const auto [first, last] = std::minmax_element(begin, end, before);
    const double low = first->at;
    const double per_unit = static_cast<double>(n - 1) / (last->at - low);
    if (!(per_unit > 0.0 && per_unit < std::numeric_limits<double>::max()))
      return std::sort(begin, end);  // equal, or nearly so
    counts_.assign(n + 1, 0);
    place_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      place_[i] = static_cast<std::uint32_t>((begin[i].at - low) * per_unit);
      ++counts_[place_[i] + 1];
    }
    for (std::size_t p = 1; p <= n; ++p) counts_[p] += counts_[p - 1];
    other_.resize(n);
    for (std::size_t i = 0; i < n; ++i) other_[counts_[place_[i]]++] = begin[i];
    std::copy_n(other_.begin(), n, begin);
    // A place now ends where the next one began.
    for (std::size_t p = 0, start = 0; p < n; start = counts_[p++])
      if (counts_[p] - start > kMany) std::sort(begin + start, begin + counts_[p]);
    sort_by_insertion(begin, end);
  }

 private:
  static constexpr int kPasses = 3;

  // Insertion sort, for nearly sorted events.
  static void sort_by_insertion(Event* begin, Event* end) {
    for (Event* next = begin; next < end; ++next) {
      const Event moved = *next;
      Event* hole = next;
      for (; hole > begin && moved.at < (hole - 1)->at; --hole) *hole = *(hole - 1);
      *hole = moved;
    }
  }

  std::uint64_t upper(const Event& event) const {
    return ordered_bits(event.at) >> (64 - bits_ * kPasses);
  }

  void sort_by_upper_bits(std::vector<Event>& events) {
    const std::size_t n = events.size(), buckets = std::size_t{1} << bits_;
    const std::uint64_t mask = buckets - 1;
    counts_.assign(kPasses * buckets, 0);
    for (const Event& event : events) {
      const std::uint64_t key = upper(event);
      for (int pass = 0; pass < kPasses; ++pass)
        ++counts_[pass * buckets + ((key >> (pass * bits_)) & mask)];
    }
    other_.resize(n);
    for (int pass = 0; pass < kPasses; ++pass) {
      const int shift = pass * bits_;
      std::uint32_t* count = &counts_[pass * buckets];
      if (count[(upper(events[0]) >> shift) & mask] == n) continue;  // one bucket holds all
      std::uint32_t start = 0;
      for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        const std::uint32_t size = count[bucket];
        count[bucket] = start;
        start += size;
      }
      for (const Event& event : events) other_[count[(upper(event) >> shift) & mask]++] = event;
      events.swap(other_);
    }
  }

  void sort_runs(std::vector<Event>& events) const {
    for (std::size_t begin = 0; begin < events.size();) {
      const std::uint64_t key = upper(events[begin]);
      std::size_t end = begin + 1;
      bool sorted = true;
      while (end < events.size() && upper(events[end]) == key) {
        sorted = sorted && !(events[end].at < events[end - 1].at);
        ++end;
      }
      if (!sorted) std::sort(events.begin() + begin, events.begin() + end);
      begin = end;
    }
  }

  int bits_ = 8;
  std::vector<Event> other_;
  std::vector<std::uint32_t> counts_, place_;
};

}  // namespace aslant
