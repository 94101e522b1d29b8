/* The fonts that the controller uses, as bitmaps in flash. devices.c has the data. */
#ifndef FONT_H
#define FONT_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "memory.h"

struct glyph {
  uint16_t code;    /* of the character */
  int8_t left, top; /* from the current column to its left side; from the base line up to its upper side */
  uint8_t advance;  /* to the next character */
  uint8_t columns, rows;
  uint16_t first; /* index of its first byte; its rows follow each other bit by bit, the first in bit 7 */
};

struct font {
  const FLASH char *name;
  uint16_t size;
  bool is_smooth;
  uint16_t line_height;
  uint16_t count;
  const FLASH struct glyph *glyphs; /* sorted by code */
  const FLASH uint8_t *bits;
};

extern const FLASH struct font fonts[DISPLAY_FONTS + 1];

/* Draws a text in UTF-8 with its upper left corner at a point. Returns false if the font does not have one of
 * its characters. */
bool font_draw(const FLASH struct font *font, const char *text, int16_t x, int16_t y, bool lit);

#endif
