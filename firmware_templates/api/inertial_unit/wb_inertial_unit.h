/* InertialUnit: orientation. */
#ifndef WB_INERTIAL_UNIT_H
#define WB_INERTIAL_UNIT_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct inertial_unit {
  uint8_t value;
  uint8_t coordinate_system; /* 1: y is up */
  double noise;
};

extern const FLASH struct inertial_unit inertial_unit_table[INERTIAL_UNIT_DEVICES];

#endif
