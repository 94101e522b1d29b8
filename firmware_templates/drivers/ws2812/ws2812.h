/* WS2812 LEDs in chains. */
#ifndef WS2812_H
#define WS2812_H

#include <stdbool.h>
#include <stdint.h>

#include "colors.h"
#include "config.h"
#include "memory.h"

struct ws2812 {
  uint8_t pin, place;
  bool gradual;
  struct colors colors;
};

extern const FLASH struct ws2812 ws2812_table[WS2812_COUNT];

void ws2812_start(uint8_t k);
void ws2812_value(uint8_t k, int32_t value);
void ws2812_update(uint8_t k, uint16_t elapsed);

#endif
