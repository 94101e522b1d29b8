/* An RGB LED on three PWM pins. */
#include "rgb_led.h"

#include "board.h"

static void set_light(const FLASH struct rgb_led *led, uint8_t pin, uint8_t level) {
  board_pwm(pin, (uint8_t)(led->inverted ? BOARD_DUTY_FULL - level : level));
}

void rgb_led_start(uint8_t k) { rgb_led_value(k, 0); }

void rgb_led_value(uint8_t k, int32_t value) {
  const FLASH struct rgb_led *led = &rgb_led_table[k];
  const struct color color = color_of(&led->colors, led->gradual, value);
  set_light(led, led->red, color.red);
  set_light(led, led->green, color.green);
  set_light(led, led->blue, color.blue);
}
