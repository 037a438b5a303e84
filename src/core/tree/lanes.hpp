// Vector arithmetic with a fixed order of additions.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <vector>

#include "support/multiversion.hpp"

namespace aslant {

// The number of partial sums: term i goes to partial sum i % kLanes, scalar or vectorized.
constexpr int kLanes = 4;

#if defined(__GNUC__)
typedef double Lanes __attribute__((vector_size(kLanes * sizeof(double))));
#else
struct Lanes {
  double value[kLanes];
  double operator[](int l) const { return value[l]; }
  Lanes operator*(const Lanes& other) const {
    return {value[0] * other[0], value[1] * other[1], value[2] * other[2], value[3] * other[3]};
  }
  Lanes& operator+=(const Lanes& other) {
    for (int l = 0; l < kLanes; ++l) value[l] += other[l];
    return *this;
  }
};
#endif

template <class FourSums>
ASLANT_INLINE double total(const FourSums& lane) {
  return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

// By reference: vector registers have no portable calling convention.
ASLANT_INLINE void load_lanes(const double* values, Lanes& lanes) {
  std::memcpy(&lanes, values, sizeof lanes);
}

#if defined(__GNUC__)
ASLANT_INLINE void load_lanes(const float* values, Lanes& lanes) {
  typedef float Floats __attribute__((vector_size(kLanes * sizeof(float))));
  Floats single;
  std::memcpy(&single, values, sizeof single);
  lanes = __builtin_convertvector(single, Lanes);
}
#else
inline void load_lanes(const float* values, Lanes& lanes) {
  for (int l = 0; l < kLanes; ++l) lanes.value[l] = values[l];
}
#endif

// Whether any value was between 0 and its own limit, inclusive.
class AnyWithin {
 public:
#if defined(__GNUC__)
  ASLANT_INLINE void add(const Lanes& x, const Lanes& limit) {
    found_ |= (x >= Lanes{}) & (x <= limit);
  }
  ASLANT_INLINE void add(const AnyWithin& others) { found_ |= others.found_; }
  ASLANT_INLINE bool found() const { return (found_[0] | found_[1] | found_[2] | found_[3]) != 0; }

 private:
  decltype(Lanes{} >= Lanes{}) found_ = {};
#else
  void add(const Lanes& x, const Lanes& limit) {
    for (int l = 0; l < kLanes; ++l) found_ |= x[l] >= 0.0 && x[l] <= limit[l];
  }
  void add(const AnyWithin& others) { found_ |= others.found_; }
  bool found() const { return found_; }

 private:
  bool found_ = false;
#endif
};

// sum += a * b, kLanes of each.
template <class T>
ASLANT_INLINE void add_products(const double* a, const T* b, Lanes& sum) {
  Lanes x, y;
  load_lanes(a, x);
  load_lanes(b, y);
  sum += x * y;
}

// Doubles aligned to a cache line, so no vector of a multiple of kLanes straddles two.
template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, kLine); }
  bool operator==(const CacheAligned&) const { return true; }
  bool operator!=(const CacheAligned&) const { return false; }
};
using AlignedVector = std::vector<double, CacheAligned<double>>;

}  // namespace aslant
