// Platform-independent random numbers.
//
// Every random choice in a tree uses a stream keyed by (seed, path of the node, purpose), so a tree
// depends neither on the number of threads nor on the order of growth. Standard generators and
// distributions differ between platforms and are not used.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace aslant {

// One step of SplitMix64 (Steele, Lea and Flood 2014): a bijective scrambling of 64 bits.
inline std::uint64_t scramble(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

// The key of the `index`-th stream below `key`: a child of a node, a restart of a search.
inline std::uint64_t subkey(std::uint64_t key, std::uint64_t index) {
  return scramble(key ^ scramble(index + 1));
}

// Extends the key of a list by one value: equal lists have equal keys.
inline std::uint64_t content_key(std::uint64_t key, double value) {
  std::uint64_t bits = 0;  // all missing values are equal
  value += 0.0;            // -0.0 equals 0.0
  if (!std::isnan(value)) std::memcpy(&bits, &value, sizeof bits);
  return scramble(key ^ scramble(bits + 1));
}

// The sample key of a row: the rows with the smallest keys form a sample. Keys are distinct, and
// parts of the rows can be sampled separately.
inline std::uint64_t sample_key(std::uint64_t key, std::uint64_t row) {
  return scramble(key ^ scramble(row));
}

// xoshiro256++ (Blackman and Vigna 2019).
class Rng {
 public:
  explicit Rng(std::uint64_t key) {
    for (auto& word : state_) word = key = scramble(key);
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, 1), 53 random bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  // Uniform in {0, ..., n - 1}; the bias of the multiplication is below n / 2^32.
  int below(int n) {
    return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  std::uint64_t state_[4];
};

}  // namespace aslant
