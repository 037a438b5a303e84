#include "descent.hpp"

#include "multiversion.hpp"

namespace aslant {

namespace {

// With the width known to the compiler, a short dot product needs no loop. While one row of the
// block waits for memory, the others go on.
template <int kWidth>
ASLANT_INLINE void descend_block(const Hyperplanes& hyperplanes, const double* block,
                                 std::int32_t* node, double* value) {
  const int width = kWidth > 0 ? kWidth : hyperplanes.width;
  const double* coefs = hyperplanes.coef.data();
  const Hyperplanes::Step* steps = hyperplanes.steps.data();
  std::int32_t moved = 1;
  for (int level = 0; moved && level < hyperplanes.depth; ++level) {
    moved = 0;
    for (int i = 0; i < kRowsTogether; ++i) {
      const Hyperplanes::Step& step = steps[node[i]];
      const double* coef = coefs + step.first;
      const double* x = block + i * width;
      Lanes lane = {};
#if defined(__GNUC__)
#pragma GCC unroll 4
#endif
      for (int j = 0; j < width; j += kLanes) add_products(coef + j, x + j, lane);
      value[i] = total(lane);
      const std::int32_t next = step.child[!(value[i] <= step.threshold)];
      moved |= next ^ node[i];
      node[i] = next;
    }
  }
}

}  // namespace

ASLANT_MULTIVERSION
void descend(const Hyperplanes& hyperplanes, const double* block, std::int32_t* node,
             double* value) {
  switch (hyperplanes.width) {
    case 4:
      return descend_block<4>(hyperplanes, block, node, value);
    case 8:
      return descend_block<8>(hyperplanes, block, node, value);
    case 12:
      return descend_block<12>(hyperplanes, block, node, value);
    case 16:
      return descend_block<16>(hyperplanes, block, node, value);
    default:
      return descend_block<0>(hyperplanes, block, node, value);
  }
}

}  // namespace aslant
