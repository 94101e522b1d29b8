/* The color of an LED by its value. */
#include "colors.h"

#define FULL 255

static uint8_t scaled(uint8_t full, uint8_t brightness) {
  return (uint8_t)((uint16_t)full * brightness / FULL);
}

struct color color_of(const FLASH struct colors *colors, bool gradual, int32_t value) {
  const FLASH struct color *list = colors->list;
  if (!gradual) return value >= 1 && value <= colors->size ? list[value - 1] : (struct color){0, 0, 0};
  if (colors->size == 0) return (struct color){(uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
  const uint8_t brightness = value < 0 ? 0 : value > FULL ? FULL : (uint8_t)value;
  return (struct color){scaled(list[0].red, brightness), scaled(list[0].green, brightness),
                        scaled(list[0].blue, brightness)};
}
