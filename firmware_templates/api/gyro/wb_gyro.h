/* The sensor Gyro: made by scripts/generate_firmware_api.py. */
#ifndef WB_GYRO_H
#define WB_GYRO_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct gyro {
  uint8_t value;
};

extern const FLASH struct gyro gyro_table[GYRO_DEVICES];

#endif
