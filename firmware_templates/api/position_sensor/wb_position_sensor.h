/* PositionSensor: the position of a joint. */
#ifndef WB_POSITION_SENSOR_H
#define WB_POSITION_SENSOR_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct position_sensor {
  uint8_t value;
  uint8_t type;
  uint16_t motor, brake; /* tags */
};

extern const FLASH struct position_sensor position_sensor_table[POSITION_SENSOR_DEVICES];

#endif
