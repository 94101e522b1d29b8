/* A monochrome display with an SSD1306. */
#ifndef SSD1306_H
#define SSD1306_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "memory.h"

struct ssd1306 {
  uint8_t sda, scl; /* set by the board */
  uint8_t address;
  bool upside_down;
};

extern const FLASH struct ssd1306 ssd1306_table[SSD1306_COUNT];

void ssd1306_start(uint8_t k);
void ssd1306_update(uint8_t k, uint16_t elapsed);

#endif
