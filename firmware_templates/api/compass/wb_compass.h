/* The sensor Compass: made by scripts/generate_firmware_api.py. */
#ifndef WB_COMPASS_H
#define WB_COMPASS_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct compass {
  uint8_t value;
};

extern const FLASH struct compass compass_table[COMPASS_DEVICES];

#endif
