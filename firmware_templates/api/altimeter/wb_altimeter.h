/* The sensor Altimeter: made by scripts/generate_firmware_api.py. */
#ifndef WB_ALTIMETER_H
#define WB_ALTIMETER_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct altimeter {
  uint8_t value;
};

extern const FLASH struct altimeter altimeter_table[ALTIMETER_DEVICES];

#endif
