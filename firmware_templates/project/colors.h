/* Lists of colors. */
#ifndef COLORS_H
#define COLORS_H

#include <stdbool.h>
#include <stdint.h>

#include "memory.h"

struct color {
  uint8_t red, green, blue;
};

struct colors {
  const FLASH struct color *list;
  uint8_t size;
};

/* Returns the color of an LED for its value: the number of a color, starting at 1. For a gradual LED it is
 * the brightness of the first color (0 to 255), or 0xRRGGBB without colors. */
struct color color_of(const FLASH struct colors *colors, bool gradual, int32_t value);

#endif
