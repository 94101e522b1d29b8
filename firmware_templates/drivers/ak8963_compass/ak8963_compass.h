/* The AK8963 magnetometer of an MPU-9250 as a compass. */
#ifndef AK8963_COMPASS_H
#define AK8963_COMPASS_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"
#include "config.h"
#include "curve.h"

struct ak8963_compass {
  uint8_t sda, scl; /* set by the board */
  uint8_t address, host;
  struct axes axes;
  real offset[3];
  struct curve lookup; /* components of the unit vector to values */
};

extern const FLASH struct ak8963_compass ak8963_compass_table[AK8963_COMPASS_COUNT];

void ak8963_compass_start(uint8_t k);
bool ak8963_compass_north(uint8_t k, real *values);

#endif
