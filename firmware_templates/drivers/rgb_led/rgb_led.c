/* A LED with red, green and blue. Value: the number of a color, from 1 on; of a gradual LED the share of its
   color (0 to 255), or 0xRRGGBB where it has no color of its own. */
#include "rgb_led.h"

#include "board.h"

#define FULL 255

static uint8_t part(uint8_t full, uint8_t share) { return (uint8_t)((uint16_t)full * share / FULL); }

static struct color color_of(const FLASH struct rgb_led *led, int32_t value) {
  const FLASH struct color *list = led->colors.list;
  if (!led->gradual)
    return value >= 1 && value <= led->colors.size ? list[value - 1] : (struct color){0, 0, 0};
  if (led->colors.size == 0)
    return (struct color){(uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
  const uint8_t share = value < 0 ? 0 : value > FULL ? FULL : (uint8_t)value;
  return (struct color){part(list[0].red, share), part(list[0].green, share), part(list[0].blue, share)};
}

static void shine(const FLASH struct rgb_led *led, uint8_t pin, uint8_t light) {
  board_pwm(pin, (uint8_t)(led->inverted ? BOARD_DUTY_FULL - light : light));
}

void rgb_led_start(uint8_t k) { rgb_led_value(k, 0); }

void rgb_led_value(uint8_t k, int32_t value) {
  const FLASH struct rgb_led *led = &rgb_led_table[k];
  const struct color color = color_of(led, value);
  shine(led, led->red, color.red);
  shine(led, led->green, color.green);
  shine(led, led->blue, color.blue);
}
