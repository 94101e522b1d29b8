/* A BNO055 as an inertial unit. */
#ifndef BNO055_INERTIAL_UNIT_H
#define BNO055_INERTIAL_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"

struct bno055_inertial_unit {
  uint8_t sda, scl; /* set by the board */
  uint8_t address;
  bool compass;
};

extern const FLASH struct bno055_inertial_unit bno055_inertial_unit_table[BNO055_INERTIAL_UNIT_COUNT];

void bno055_inertial_unit_start(uint8_t k);
bool bno055_inertial_unit_orientation(uint8_t k, real *values);

#endif
