/* A gradual LED of one color on a PWM pin. */
#ifndef PWM_LED_H
#define PWM_LED_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "memory.h"

struct pwm_led {
  uint8_t pin;
  bool inverted;
};

extern const FLASH struct pwm_led pwm_led_table[PWM_LED_COUNT];

void pwm_led_start(uint8_t k);
void pwm_led_value(uint8_t k, int32_t value);

#endif
