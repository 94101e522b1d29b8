// Vector instructions: which ones this process uses, and how kernels are compiled for each of them.
//
// A kernel computes several independent results at once, one in each lane of a vector. Each lane is computed
// by the operations, and in the order, that compute a single result, so that the number of lanes changes no
// bit: lanes are never added up, products and sums are rounded separately (no FMA; the whole engine is
// compiled with -ffp-contract=off).
//
// Kernels are written once, in a file NAME_kernels.inc without includes, and compiled once for each variant:
//
//   // dot_kernels.inc: rows of a matrix, stored column by column, times a vector
//   static void multiply(const double *a, const double *x, double *y, size_t rows, size_t columns) {
//     for (size_t i = 0; i < rows; i += kLanes) {  // `rows` is a multiple of kMostLanes
//       Lanes sum{};
//       for (size_t k = 0; k < columns; ++k) sum += load(a + k * rows + i) * all(x[k]);
//       store(y + i, sum);
//     }
//   }
//   constexpr DotKernels kTable{multiply};
//
//   // dot_kernels.cpp: its name ends with _kernels.cpp, so that the build keeps it out of larger units
//   #include "dot_kernels.h"  // struct DotKernels { void (*multiply)(...); }; const DotKernels
//   &dot_kernels(); #define WBRIDGE_KERNELS "../solve/dot_kernels.inc"  // as seen from the folder of this
//   file #include "../platform/each_variant.h" namespace wb { const DotKernels &dot_kernels() { return
//   WBRIDGE_CHOOSE(kTable); }
//   }
//
// lanes.inc declares Lanes, kLanes, load, store and all. Loops over plain numbers without branches are
// kernels, too: compilers vectorize them. Kernels use no templates and no variables of their own, and call
// functions of headers only if these are inlined: a function that is compiled for AVX2 must not serve another
// processor. A file that defines WBRIDGE_WIDEST before it includes each_variant.h gets a variant of 512 bits,
// too: for kernels whose matrices have rows of eight numbers.
//
// The environment variable WBRIDGE_SIMD lists the variants that may be used, separated by commas:
// WBRIDGE_SIMD=none,sse2 switches AVX2 and AVX-512 off. `none`, kernels of one lane, always may.
#pragma once

#include <cstddef>

namespace wb {

// narrow: 128 bits, which all processors of a family have (SSE2 of x86-64, NEON of AArch64; SIMD128 of
// WebAssembly if it was switched on when the engine was compiled). wide: 256 bits (AVX2), and widest: 512
// bits (AVX-512), on processors that have them. What has no kernels of 512 bits takes those of 256 then.
enum class Simd { none, narrow, wide, widest };

// Numbers in vectors of 256 and of 512 bits; sizes that are padded to them suit all variants.
inline constexpr size_t kMostLanes = 4, kWidestLanes = 8;

#if defined(__x86_64__)
inline constexpr const char *kNarrowName = "sse2", *kWideName = "avx2", *kWidestName = "avx512";
#define WBRIDGE_HAS_NARROW 1
#define WBRIDGE_HAS_WIDE 1
#elif defined(__aarch64__)
inline constexpr const char *kNarrowName = "neon", *kWideName = nullptr, *kWidestName = nullptr;
#define WBRIDGE_HAS_NARROW 1
#define WBRIDGE_HAS_WIDE 0
#elif defined(__wasm_simd128__)
inline constexpr const char *kNarrowName = "simd128", *kWideName = nullptr, *kWidestName = nullptr;
#define WBRIDGE_HAS_NARROW 1
#define WBRIDGE_HAS_WIDE 0
#else
inline constexpr const char *kNarrowName = nullptr, *kWideName = nullptr, *kWidestName = nullptr;
#define WBRIDGE_HAS_NARROW 0
#define WBRIDGE_HAS_WIDE 0
#endif

// The variant of this process, chosen at the first call. Throws std::invalid_argument if WBRIDGE_SIMD has an
// unknown name.
Simd simd();

// Its name: none, sse2, avx2, avx512, neon or simd128.
const char *simd_name();

// The widest variant that the processor has and a list of names, as in WBRIDGE_SIMD, allows. Null or empty:
// all are allowed.
Simd widest_of(const char *allowed);

}  // namespace wb
