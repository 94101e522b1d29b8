/* An RGB LED on three PWM pins. */
#ifndef RGB_LED_H
#define RGB_LED_H

#include <stdbool.h>
#include <stdint.h>

#include "colors.h"
#include "config.h"
#include "memory.h"

struct rgb_led {
  uint8_t red, green, blue;
  bool inverted;
  bool gradual;
  struct colors colors;
};

extern const FLASH struct rgb_led rgb_led_table[RGB_LED_COUNT];

void rgb_led_start(uint8_t k);
void rgb_led_value(uint8_t k, int32_t value);

#endif
