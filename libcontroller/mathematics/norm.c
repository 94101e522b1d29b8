// The length of a vector, by sums that carry twice as many bits as a number.
#include "norm.h"

#include <float.h>
#include <math.h>

typedef struct {
  double value, rest;  // their sum is exact, or nearly so
} Exact;

static Exact sum(double a, double b) {
  const double value = a + b, part = value - a;
  return (Exact){value, (a - (value - part)) + (b - part)};
}

static Exact square(double a) {
  const double scaled = 134217729.0 * a, first = scaled - (scaled - a), second = a - first, value = a * a;
  return (Exact){value, ((first * first - value) + 2 * first * second) + second * second};
}

static void add(Exact *total, Exact more) {
  const Exact both = sum(total->value, more.value);
  *total = (Exact){both.value, total->rest + more.rest + both.rest};
}

double norm(double *sizes, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; ++i)
    if (sizes[i] > largest) largest = sizes[i];
  if (largest == 0 || count == 1) return largest;
  int exponent;
  frexp(largest, &exponent);
  Exact total = {0, 0};
  for (size_t i = 0; i < count; ++i) add(&total, square(ldexp(sizes[i], -exponent)));
  const double root = sqrt(total.value + total.rest);
  const Exact negative = square(root);
  add(&total, (Exact){-negative.value, -negative.rest});
  return ldexp(root + (total.value + total.rest) / (2 * root), exponent);
}
