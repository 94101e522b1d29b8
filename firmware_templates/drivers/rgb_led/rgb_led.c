/* An RGB LED. The value is the number of a color, starting at 1. For a gradual LED it is the brightness of
 * the color (0 to 255), or 0xRRGGBB if the LED has no color. */
#include "rgb_led.h"

#include "board.h"

#define FULL 255

static uint8_t scaled(uint8_t full, uint8_t brightness) {
  return (uint8_t)((uint16_t)full * brightness / FULL);
}

static struct color color_of(const FLASH struct rgb_led *led, int32_t value) {
  const FLASH struct color *list = led->colors.list;
  if (!led->gradual)
    return value >= 1 && value <= led->colors.size ? list[value - 1] : (struct color){0, 0, 0};
  if (led->colors.size == 0)
    return (struct color){(uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
  const uint8_t brightness = value < 0 ? 0 : value > FULL ? FULL : (uint8_t)value;
  return (struct color){scaled(list[0].red, brightness), scaled(list[0].green, brightness),
                        scaled(list[0].blue, brightness)};
}

static void set_light(const FLASH struct rgb_led *led, uint8_t pin, uint8_t level) {
  board_pwm(pin, (uint8_t)(led->inverted ? BOARD_DUTY_FULL - level : level));
}

void rgb_led_start(uint8_t k) { rgb_led_value(k, 0); }

void rgb_led_value(uint8_t k, int32_t value) {
  const FLASH struct rgb_led *led = &rgb_led_table[k];
  const struct color color = color_of(led, value);
  set_light(led, led->red, color.red);
  set_light(led, led->green, color.green);
  set_light(led, led->blue, color.blue);
}
