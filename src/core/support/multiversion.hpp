// Compiler and processor features beyond the language.
#pragma once

#include <cstddef>  // tells whether the C library is glibc

// Compiles a function a second time for AVX2; the loader picks the version. The code fixes the
// order of all additions and never fuses products with sums, so results are identical to the last
// bit. Sanitizers cannot start before the loader has picked, so their builds have one version.
#if defined(__GNUC__) && defined(__x86_64__) && defined(__GLIBC__) && \
    !defined(ASLANT_NO_MULTIVERSION)
#define ASLANT_MULTIVERSION __attribute__((target_clones("avx2", "default")))
#else
#define ASLANT_MULTIVERSION
#endif

// Prefetches an address, which need not be valid.
#if defined(__GNUC__)
#define ASLANT_PREFETCH(place) __builtin_prefetch(place)
#else
#define ASLANT_PREFETCH(place) static_cast<void>(place)
#endif

// For functions inlined into such a function.
#if defined(__GNUC__)
#define ASLANT_INLINE inline __attribute__((always_inline))
#else
#define ASLANT_INLINE inline
#endif
