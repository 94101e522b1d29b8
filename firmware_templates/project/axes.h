/* Maps the axes of a three-axis sensor to those of the robot's device. */
#ifndef AXES_H
#define AXES_H

#include <stdint.h>

#include "bytes.h"
#include "curve.h"
#include "memory.h"

struct axes {
  int8_t from[3]; /* for the device's x, y, z: the sensor's axis, 1, 2, 3 for x, y, z; negative if inverted */
};

/* Maps sensor values to device values, in the same unit. The arrays may be the same. */
void axes_map(const FLASH struct axes *axes, const real *measured, real *mapped);

/* Converts each number with a lookup table. */
void axes_look_up(const FLASH struct curve *lookup, real *numbers);

#endif
