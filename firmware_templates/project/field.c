/* The direction of a magnetic field. */
#include "field.h"

#include <math.h>

bool field_direction(const int16_t *counts, const FLASH real *offset, const FLASH struct axes *axes,
                     const FLASH struct curve *lookup, real *values) {
  for (uint8_t axis = 0; axis < 3; axis++) values[axis] = counts[axis] - offset[axis];
  const real length = (real)sqrt(values[0] * values[0] + values[1] * values[1] + values[2] * values[2]);
  if (length == 0) return false;
  for (uint8_t axis = 0; axis < 3; axis++) values[axis] /= length;
  axes_map(axes, values, values);
  axes_look_up(lookup, values);
  return true;
}
