/* An LED on a digital pin. */
#ifndef GPIO_LED_H
#define GPIO_LED_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "memory.h"

struct gpio_led {
  uint8_t pin;
  bool inverted;
};

extern const FLASH struct gpio_led gpio_led_table[GPIO_LED_COUNT];

void gpio_led_start(uint8_t k);
void gpio_led_value(uint8_t k, int32_t value);

#endif
