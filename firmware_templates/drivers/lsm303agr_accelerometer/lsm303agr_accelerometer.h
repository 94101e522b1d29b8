/* The accelerometer of an LSM303AGR or a LIS3DH. */
#ifndef LSM303AGR_ACCELEROMETER_H
#define LSM303AGR_ACCELEROMETER_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"
#include "config.h"
#include "curve.h"

struct lsm303agr_accelerometer {
  uint8_t sda, scl; /* set by the board */
  uint8_t address;
  struct axes axes;
  uint8_t range;       /* register value */
  struct curve lookup; /* m/s^2 to values */
};

extern const FLASH struct lsm303agr_accelerometer
    lsm303agr_accelerometer_table[LSM303AGR_ACCELEROMETER_COUNT];

void lsm303agr_accelerometer_start(uint8_t k);
bool lsm303agr_accelerometer_acceleration(uint8_t k, real *values);

#endif
