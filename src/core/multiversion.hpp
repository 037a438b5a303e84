// What compilers and processors can do beyond the language.
#pragma once

#include <cstddef>  // tells whether the C library is glibc

// A function marked so is compiled once more for processors with AVX2, and the loader picks the
// version that this one can run. The order of all additions is written out in the code and products
// are never fused with sums, so the results are the same to the last bit.
// Sanitizers cannot start before the loader has picked, so a build for them has one version.
#if defined(__GNUC__) && defined(__x86_64__) && defined(__GLIBC__) && \
    !defined(ASLANT_NO_MULTIVERSION)
#define ASLANT_MULTIVERSION __attribute__((target_clones("avx2", "default")))
#else
#define ASLANT_MULTIVERSION
#endif

// Asks for a place in memory, which need not exist, before it is read.
#if defined(__GNUC__)
#define ASLANT_PREFETCH(place) __builtin_prefetch(place)
#else
#define ASLANT_PREFETCH(place) static_cast<void>(place)
#endif

// For the parts of such a function.
#if defined(__GNUC__)
#define ASLANT_INLINE inline __attribute__((always_inline))
#else
#define ASLANT_INLINE inline
#endif
