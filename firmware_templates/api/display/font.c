/* Texts on the picture of a display: one character after the other, as in simulation. A character outside of
 * the picture advances by the font's size. */
#include "font.h"

#include "canvas.h"

#define REPLACEMENT 0xFFFD

/* The next character of a text in UTF-8; characters above 16 bits are not distinguished. */
static uint16_t next_code(const char **text) {
  const uint8_t lead = (uint8_t)*(*text)++;
  if (lead < 0x80) return lead;
  uint8_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  const bool is_known = lead >= 0xC0 && more < 3;
  uint16_t code = (uint16_t)(lead & 0x3F >> more);
  for (; more > 0 && ((uint8_t)**text & 0xC0) == 0x80; more--)
    code = (uint16_t)(code << 6 | ((uint8_t)*(*text)++ & 0x3F));
  return is_known ? code : REPLACEMENT;
}

static const FLASH struct glyph *glyph_of(const FLASH struct font *font, uint16_t code) {
  for (uint16_t k = 0; k < font->count; k++)
    if (font->glyphs[k].code == code) return &font->glyphs[k];
  return 0;
}

static void draw_glyph(const FLASH struct font *font, const FLASH struct glyph *glyph, int16_t x, int16_t y,
                       bool lit) {
  uint16_t bit = 0;
  for (uint8_t row = 0; row < glyph->rows; row++)
    for (uint8_t column = 0; column < glyph->columns; column++, bit++)
      if (font->bits[glyph->first + bit / 8] & 0x80 >> bit % 8)
        canvas_bar(x + column, y + row, x + column, y + row, lit);
}

bool font_draw(const FLASH struct font *font, const char *text, int16_t x, int16_t y, bool lit) {
  const int16_t size = (int16_t)font->size;
  bool is_complete = true;
  int16_t column = x;
  while (*text != 0 && y < CANVAS_HEIGHT) {
    const uint16_t code = next_code(&text);
    if (code == '\n') {
      column = x;
      y = (int16_t)(y + (int16_t)font->line_height);
    } else if (column < CANVAS_WIDTH && y + size >= 0) {
      const FLASH struct glyph *const glyph = column + size < 0 ? 0 : glyph_of(font, code);
      if (column + size < 0)
        column = (int16_t)(column + size);
      else if (glyph == 0)
        is_complete = false;
      else {
        draw_glyph(font, glyph, (int16_t)(column + glyph->left), (int16_t)(y - glyph->top + size), lit);
        column = (int16_t)(column + glyph->advance);
      }
    }
  }
  return is_complete;
}
