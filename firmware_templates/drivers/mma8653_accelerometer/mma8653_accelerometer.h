/* An MMA8653 accelerometer. */
#ifndef MMA8653_ACCELEROMETER_H
#define MMA8653_ACCELEROMETER_H

#include <stdbool.h>
#include <stdint.h>

#include "axes.h"
#include "config.h"
#include "curve.h"

struct mma8653_accelerometer {
  uint8_t sda, scl; /* set by the board */
  uint8_t address;
  struct axes axes;
  uint8_t range;       /* register value */
  struct curve lookup; /* m/s^2 to values */
};

extern const FLASH struct mma8653_accelerometer mma8653_accelerometer_table[MMA8653_ACCELEROMETER_COUNT];

void mma8653_accelerometer_start(uint8_t k);
bool mma8653_accelerometer_acceleration(uint8_t k, real *values);

#endif
