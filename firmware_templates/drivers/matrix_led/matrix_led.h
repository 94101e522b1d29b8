/* LEDs of a matrix of rows and columns. */
#ifndef MATRIX_LED_H
#define MATRIX_LED_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct matrix_led {
  uint8_t row, column;
};

extern const FLASH struct matrix_led matrix_led_table[MATRIX_LED_COUNT];

void matrix_led_start(uint8_t k);
void matrix_led_value(uint8_t k, int32_t value);
void matrix_led_tick(uint8_t k);

#endif
