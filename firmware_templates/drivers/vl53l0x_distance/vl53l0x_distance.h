/* A VL53L0X time-of-flight sensor. */
#ifndef VL53L0X_DISTANCE_H
#define VL53L0X_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "curve.h"

struct vl53l0x_distance {
  uint8_t sda, scl; /* set by the board */
  uint8_t address;
  real range;          /* m */
  struct curve lookup; /* m to values */
};

extern const FLASH struct vl53l0x_distance vl53l0x_distance_table[VL53L0X_DISTANCE_COUNT];

void vl53l0x_distance_start(uint8_t k);
bool vl53l0x_distance_value(uint8_t k, real *value);

#endif
