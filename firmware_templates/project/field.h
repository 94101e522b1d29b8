/* The direction of a magnetic field. */
#ifndef FIELD_H
#define FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"
#include "bytes.h"
#include "curve.h"
#include "memory.h"

/* Converts a magnetometer's counts to the device's values: the unit vector of the field without the robot's
 * own iron. Returns false without a field. */
bool field_direction(const int16_t *counts, const FLASH real *offset, const FLASH struct axes *axes,
                     const FLASH struct curve *lookup, real *values);

#endif
