// Pairs of numbers that carry twice as many bits.
#pragma once

typedef struct {
  double value, rest;  // the sum of both is exact, or nearly so
} Exact;

static inline Exact ordered_sum(double large, double small) {
  const double sum = large + small;
  return (Exact){sum, small - (sum - large)};
}

// The first 26 bits of a number; what is left has as many.
static inline double head(double a) {
  const double scaled = 134217729.0 * a;
  return scaled - (scaled - a);
}
