/* Turns what a sensor with three axes measures into the axes of the robot's device. */
#ifndef AXES_H
#define AXES_H

#include <stdint.h>

#include "bytes.h"
#include "curve.h"
#include "memory.h"

struct axes {
  int8_t from[3]; /* for x, y, z: 1, 2, 3 the sensor's x, y, z; negative the other way round */
};

/* The numbers of the device from those of the sensor, in the same unit; they may be the same array. */
void axes_turn(const FLASH struct axes *axes, const real *measured, real *turned);

/* Each number by a lookup table. */
void axes_look_up(const FLASH struct curve *lookup, real *numbers);

#endif
