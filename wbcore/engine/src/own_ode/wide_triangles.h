// Substitutions with triangular matrices for AVX2, with the results of ODE's to the bit: solveL1Straight
// (fastlsolve_impl.h) and solveL1Transposed (fastltsolve_impl.h).
//
// ODE takes the rows four by four, and adds up the products of each with all unknowns before them; its chains
// of sums wait for each other. Here, four new unknowns are multiplied into the sums of all other rows at
// once. Each sum adds the same products in the same order. Rows are aligned to 32 bytes.
#pragma once

#include <immintrin.h>

#include <cstddef>

namespace wb {
namespace {

// With fewer rows, ODE's functions take less time. With more, which the exact solver seldom has, the sums
// would need memory.
constexpr unsigned kFewestRows = 9, kMostRows = 512;
using Four = __m256d;

inline Four add_product(Four sum, const double *a, Four b) {
  return _mm256_add_pd(sum, _mm256_mul_pd(_mm256_load_pd(a), b));
}

// Four rows of four numbers, by columns.
inline void load_columns(const double *rows, size_t skip, Four columns[4]) {
  const Four a = _mm256_load_pd(rows), b = _mm256_load_pd(rows + skip), c = _mm256_load_pd(rows + 2 * skip),
             d = _mm256_load_pd(rows + 3 * skip);
  const Four ab_even = _mm256_unpacklo_pd(a, b), ab_odd = _mm256_unpackhi_pd(a, b),
             cd_even = _mm256_unpacklo_pd(c, d), cd_odd = _mm256_unpackhi_pd(c, d);
  columns[0] = _mm256_permute2f128_pd(ab_even, cd_even, 0x20);
  columns[1] = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20);
  columns[2] = _mm256_permute2f128_pd(ab_even, cd_even, 0x31);
  columns[3] = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31);
}

inline bool fits(unsigned count) { return count >= kFewestRows && count <= kMostRows; }

// Solves L x = b for a lower triangle with ones on its diagonal; x takes the place of b.
inline void solve_lower(const double *l, double *x, unsigned count, size_t skip) {
  const unsigned fours = count / 4, rest = count % 4, whole = count - rest;
  Four sums[kMostRows / 4];
  for (unsigned k = 0; k < fours; ++k) sums[k] = _mm256_setzero_pd();
  // Of the last rows ODE adds up even and odd columns apart.
  __m128d last[3] = {_mm_setzero_pd(), _mm_setzero_pd(), _mm_setzero_pd()};
  for (unsigned i = 0; i < whole; i += 4) {
    const double *second = l + (i + 1) * skip + i, *third = second + skip, *fourth = third + skip;
    double sum[4];
    _mm256_storeu_pd(sum, sums[i / 4]);
    const double a = x[i] - sum[0], b = x[i + 1] - sum[1] - second[0] * a,
                 c = x[i + 2] - sum[2] - third[0] * a - third[1] * b,
                 d = x[i + 3] - sum[3] - fourth[0] * a - fourth[1] * b - fourth[2] * c;
    x[i] = a, x[i + 1] = b, x[i + 2] = c, x[i + 3] = d;
    const Four all_a = _mm256_set1_pd(a), all_b = _mm256_set1_pd(b), all_c = _mm256_set1_pd(c),
               all_d = _mm256_set1_pd(d);
    for (unsigned k = i / 4 + 1; k < fours; ++k) {
      Four columns[4];
      load_columns(l + 4 * k * skip + i, skip, columns);
      Four s = _mm256_add_pd(sums[k], _mm256_mul_pd(columns[0], all_a));
      s = _mm256_add_pd(s, _mm256_mul_pd(columns[1], all_b));
      s = _mm256_add_pd(s, _mm256_mul_pd(columns[2], all_c));
      sums[k] = _mm256_add_pd(s, _mm256_mul_pd(columns[3], all_d));
    }
    for (unsigned t = 0; t < rest; ++t) {
      const double *row = l + (whole + t) * skip + i;
      last[t] = _mm_add_pd(last[t], _mm_mul_pd(_mm_load_pd(row), _mm_set_pd(b, a)));
      last[t] = _mm_add_pd(last[t], _mm_mul_pd(_mm_load_pd(row + 2), _mm_set_pd(d, c)));
    }
  }
  for (unsigned t = 0; t < rest; ++t) {
    const double *row = l + (whole + t) * skip + whole;
    double even = _mm_cvtsd_f64(last[t]), odd = _mm_cvtsd_f64(_mm_unpackhi_pd(last[t], last[t]));
    if (t > 0) even += row[0] * x[whole];
    if (t > 1) odd += row[1] * x[whole + 1];
    x[whole + t] -= even + odd;
  }
}

// Solves L^T x = b likewise, from the last unknown to the first.
inline void solve_lower_transposed(const double *l, double *x, unsigned count, size_t skip) {
  const unsigned fours = count / 4, rest = count % 4;
  Four sums[kMostRows / 4];
  for (unsigned k = 0; k < fours; ++k) sums[k] = _mm256_setzero_pd();
  for (unsigned i = count; i-- > count - rest;) {
    double value = x[i];
    for (unsigned j = count - 1; j > i; --j) value -= l[j * skip + i] * x[j];
    x[i] = value;
    const Four all = _mm256_set1_pd(value);
    for (unsigned k = 0; k < fours; ++k) sums[k] = add_product(sums[k], l + i * skip + 4 * k, all);
  }
  for (unsigned i = count - rest; i > 0;) {
    i -= 4;
    const double *first = l + i * skip, *second = first + skip, *third = second + skip,
                 *fourth = third + skip;
    double sum[4];
    _mm256_storeu_pd(sum, sums[i / 4]);
    const double d = x[i + 3] - sum[3], c = x[i + 2] - sum[2] - fourth[i + 2] * d,
                 b = x[i + 1] - sum[1] - fourth[i + 1] * d - third[i + 1] * c,
                 a = x[i] - sum[0] - fourth[i] * d - third[i] * c - second[i] * b;
    x[i] = a, x[i + 1] = b, x[i + 2] = c, x[i + 3] = d;
    const Four all_a = _mm256_set1_pd(a), all_b = _mm256_set1_pd(b), all_c = _mm256_set1_pd(c),
               all_d = _mm256_set1_pd(d);
    // The next four unknowns wait for these sums, so they come first.
    for (unsigned k = i / 4; k-- > 0;) {
      const Four s = add_product(add_product(sums[k], fourth + 4 * k, all_d), third + 4 * k, all_c);
      sums[k] = add_product(add_product(s, second + 4 * k, all_b), first + 4 * k, all_a);
    }
  }
}

}  // namespace
}  // namespace wb
