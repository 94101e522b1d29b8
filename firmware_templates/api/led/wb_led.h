/* LED. */
#ifndef WB_LED_H
#define WB_LED_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct led {
  uint8_t value;
};

extern const FLASH struct led led_table[LED_DEVICES];

#endif
