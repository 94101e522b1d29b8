/* A gradual LED of one color on a PWM pin. */
#include "pwm_led.h"

#include "board.h"

void pwm_led_start(uint8_t k) { pwm_led_value(k, 0); }

void pwm_led_value(uint8_t k, int32_t value) {
  const FLASH struct pwm_led *led = &pwm_led_table[k];
  const uint8_t duty = value < 0 ? 0 : value > BOARD_DUTY_FULL ? BOARD_DUTY_FULL : (uint8_t)value;
  board_pwm(led->pin, (uint8_t)(led->inverted ? BOARD_DUTY_FULL - duty : duty));
}
