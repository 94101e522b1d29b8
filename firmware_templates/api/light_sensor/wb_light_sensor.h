/* The sensor LightSensor: made by scripts/generate_firmware_api.py. */
#ifndef WB_LIGHT_SENSOR_H
#define WB_LIGHT_SENSOR_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct light_sensor {
  uint8_t value;
};

extern const FLASH struct light_sensor light_sensor_table[LIGHT_SENSOR_DEVICES];

#endif
