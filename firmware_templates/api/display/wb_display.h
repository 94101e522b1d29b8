/* Display. */
#ifndef WB_DISPLAY_H
#define WB_DISPLAY_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct display {
  uint8_t width, height;
};

extern const FLASH struct display display_table[DISPLAY_DEVICES];

#endif
