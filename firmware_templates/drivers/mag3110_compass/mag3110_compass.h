/* A MAG3110 magnetometer as a compass. */
#ifndef MAG3110_COMPASS_H
#define MAG3110_COMPASS_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"
#include "config.h"
#include "curve.h"

struct mag3110_compass {
  uint8_t sda, scl; /* set by the board */
  uint8_t address;
  struct axes axes;
  real offset[3];
  struct curve lookup; /* components of the unit vector to values */
};

extern const FLASH struct mag3110_compass mag3110_compass_table[MAG3110_COMPASS_COUNT];

void mag3110_compass_start(uint8_t k);
bool mag3110_compass_north(uint8_t k, real *values);

#endif
