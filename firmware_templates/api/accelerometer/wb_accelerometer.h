/* The sensor Accelerometer: made by scripts/generate_firmware_api.py. */
#ifndef WB_ACCELEROMETER_H
#define WB_ACCELEROMETER_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct accelerometer {
  uint8_t value;
};

extern const FLASH struct accelerometer accelerometer_table[ACCELEROMETER_DEVICES];

#endif
