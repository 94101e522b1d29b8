/* Linear interpolation in tables, as Webots interpolates lookup tables. */
#include "curve.h"

real curve_at(const FLASH struct curve *curve, real x) {
  const FLASH struct point *points = curve->points;
  if (curve->size == 0) return x;
  if (x <= points[0].x) return points[0].y;
  for (uint8_t k = 1; k < curve->size; k++)
    if (x <= points[k].x) {
      const real fraction = (x - points[k - 1].x) / (points[k].x - points[k - 1].x);
      return points[k - 1].y + fraction * (points[k].y - points[k - 1].y);
    }
  return points[curve->size - 1].y;
}
