// The decimal logarithm: the natural one, with more bits than a number has, divided by log(10). It takes less
// time than musl's function, which divides, and is rounded to the nearest number with few exceptions.
//
// The tables are those of musl's natural logarithm: next to c, log(2^k c (1 + r)) is k log(2) + log(c) + r -
// r r / 2 + ...
#include <math.h>
#include <stdint.h>

#include "exact.h"
#include "libm.h"
#include "log_data.h"

static const double kInverse = 0x1.bcb7b1526e50ep-2;  // 1 / log(10)
static const double kInverseHead = 0x1.bcb7b18p-2,
                    kInverseRest = -0x1.6c8d78e6acaa4p-29;  // their sum has more bits
static const uint64_t kFirst = 0x3fe6000000000000, kLow = 0x3fee000000000000, kHigh = 0x3ff1090000000000;
static const uint64_t kNormal = 0x0010000000000000, kInfinite = 0x7ff0000000000000;

// log(1 + r), for 1 + r between kLow and kHigh
static Exact log_near_one(double r) {
  const double *b = __log_data.poly1, r2 = r * r, r3 = r * r2, r_head = head(r);
  const double high = b[7] + r * b[8] + r2 * b[9] + r3 * b[10];
  const double series = b[1] + r * b[2] + r2 * b[3] + r3 * (b[4] + r * b[5] + r2 * b[6] + r3 * high);
  const Exact parts = ordered_sum(r, -0.5 * r_head * r_head);
  return (Exact){parts.value, parts.rest + -0.5 * (r - r_head) * (r_head + r) + r3 * series};
}

// The logarithm of the number whose bits are given, with the sign bit as a part of its exponent.
static Exact log_of(uint64_t bits) {
  const uint64_t above = bits - kFirst;
  const int i = (int)(above >> 45 & 127);
  const double z = asdouble(bits - (above & 0xfffULL << 52)), k = (double)((int64_t)above >> 52);
  const double r = (z - __log_data.tab2[i].chi - __log_data.tab2[i].clo) * __log_data.tab[i].invc, r2 = r * r;
  const double *a = __log_data.poly;
  const double curve = r2 * a[0] + r * r2 * (a[1] + r * a[2] + r2 * (a[3] + r * a[4]));
  const Exact parts = ordered_sum(k * __log_data.ln2hi + __log_data.tab[i].logc, r);
  return (Exact){parts.value, parts.rest + k * __log_data.ln2lo + curve};
}

static double decimal(Exact natural) {
  const double first = head(natural.value), others = natural.value - first;
  const double rest = others * kInverseHead + natural.value * kInverseRest + natural.rest * kInverse;
  return first * kInverseHead + rest;
}

double log10(double x) {
  uint64_t bits = asuint64(x);
  if (bits - kLow < kHigh - kLow) return decimal(log_near_one(x - 1));
  if (bits - kNormal >= kInfinite - kNormal) {
    if (x == 0) return __math_divzero(1);
    if (bits == kInfinite || isnan(x)) return x;
    if (bits >> 63) return __math_invalid(x);
    bits = asuint64(x * 0x1p52) - (52ULL << 52);  // it has fewer bits than others
  }
  return decimal(log_of(bits));
}
