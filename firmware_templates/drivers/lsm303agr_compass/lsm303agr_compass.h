/* The magnetometer of an LSM303AGR as a compass. */
#ifndef LSM303AGR_COMPASS_H
#define LSM303AGR_COMPASS_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"
#include "config.h"
#include "curve.h"

struct lsm303agr_compass {
  uint8_t sda, scl; /* set by the board */
  uint8_t address;
  struct axes axes;
  real offset[3];
  struct curve lookup; /* components of the unit vector to values */
};

extern const FLASH struct lsm303agr_compass lsm303agr_compass_table[LSM303AGR_COMPASS_COUNT];

void lsm303agr_compass_start(uint8_t k);
bool lsm303agr_compass_north(uint8_t k, real *values);

#endif
