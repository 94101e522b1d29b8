/* Linear interpolation in tables. */
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

/* Returns y at x. Outside of the table, returns y of the nearest end; without points, returns x. */
real curve_at(const FLASH struct curve *curve, real x);

#endif
