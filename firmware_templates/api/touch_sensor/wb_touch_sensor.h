/* TouchSensor: a bumper, the force along the sensor's axis, or a 3D force. */
#ifndef WB_TOUCH_SENSOR_H
#define WB_TOUCH_SENSOR_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct touch_sensor {
  uint8_t value;
  uint8_t type;
};

extern const FLASH struct touch_sensor touch_sensor_table[TOUCH_SENSOR_DEVICES];

#endif
