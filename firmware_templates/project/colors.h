/* Lists of colors. */
#ifndef COLORS_H
#define COLORS_H

#include <stdint.h>

#include "memory.h"

struct color {
  uint8_t red, green, blue;
};

struct colors {
  const FLASH struct color *list;
  uint8_t size;
};

#endif
