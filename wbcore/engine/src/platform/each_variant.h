// Compiles the file WBRIDGE_KERNELS once for each variant of vector instructions (see vector.h). Include it
// last, and outside of namespaces.
#include "vector.h"

// Vectors are arguments of inlined functions only, which no calling convention concerns.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace wb {
namespace {

// Single numbers take many times the code of vectors, which all processors of a family have.
#if WBRIDGE_HAS_NARROW
#define WBRIDGE_UNROLL _Pragma("GCC unroll 1")
#else
#define WBRIDGE_UNROLL _Pragma("GCC unroll 8")
#endif
namespace none {
constexpr size_t kLanes = 1;
#include "lanes.inc"
#include WBRIDGE_KERNELS
}  // namespace none
#undef WBRIDGE_UNROLL
#define WBRIDGE_UNROLL _Pragma("GCC unroll 16")

#if WBRIDGE_HAS_NARROW
namespace narrow {
constexpr size_t kLanes = 2;
#include "lanes.inc"
#include WBRIDGE_KERNELS
}  // namespace narrow
#endif

#if WBRIDGE_HAS_WIDE
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace wide {
constexpr size_t kLanes = 4;
#include "lanes.inc"
#include WBRIDGE_KERNELS
}  // namespace wide
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

#if WBRIDGE_HAS_WIDE && defined(WBRIDGE_WIDEST)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl")
#endif
namespace widest {
constexpr size_t kLanes = kWidestLanes;
#include "lanes.inc"
#include WBRIDGE_KERNELS
}  // namespace widest
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

}  // namespace
}  // namespace wb

// A constant of the kernels, as the variant of this process has it.
#if WBRIDGE_HAS_WIDE && defined(WBRIDGE_WIDEST)
#define WBRIDGE_CHOOSE(name)               \
  (simd() == Simd::widest   ? widest::name \
   : simd() == Simd::wide   ? wide::name   \
   : simd() == Simd::narrow ? narrow::name \
                            : none::name)
#elif WBRIDGE_HAS_WIDE
#define WBRIDGE_CHOOSE(name) \
  (simd() >= Simd::wide ? wide::name : simd() == Simd::narrow ? narrow::name : none::name)
#elif WBRIDGE_HAS_NARROW
#define WBRIDGE_CHOOSE(name) (simd() == Simd::narrow ? narrow::name : none::name)
#else
#define WBRIDGE_CHOOSE(name) (none::name)
#endif
