/* DistanceSensor: distances converted by the lookup table. */
#ifndef WB_DISTANCE_SENSOR_H
#define WB_DISTANCE_SENSOR_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct distance_sensor {
  uint8_t value;
  uint8_t type;
  double aperture, min_value, max_value;
};

extern const FLASH struct distance_sensor distance_sensor_table[DISTANCE_SENSOR_DEVICES];

#endif
