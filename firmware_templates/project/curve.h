/* Curves as rows of numbers, read by linear interpolation. */
#ifndef CURVE_H
#define CURVE_H

#include "bytes.h"
#include "memory.h"

struct point {
  real x, y;
};

struct curve {
  const FLASH struct point *points; /* x ascending */
  uint8_t size;
};

/* The y of an x; outside of the curve, that of its nearest end; x itself, where the curve has no points. */
real curve_at(const FLASH struct curve *curve, real x);

#endif
