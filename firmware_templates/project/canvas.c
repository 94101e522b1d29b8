/* The picture of a monochrome display. Each page remembers the columns between which it has changed. Flavors
 * without drivers have none. */
#include "canvas.h"

#ifdef SSD1306_COUNT

uint8_t canvas_bytes[CANVAS_PAGES][CANVAS_WIDTH];
bool canvas_shown;
static uint8_t first[CANVAS_PAGES], end[CANVAS_PAGES]; /* equal: the page has not changed */

static void put(uint8_t page, uint8_t column, uint8_t byte) {
  const uint8_t after = (uint8_t)(column + 1);
  if (canvas_bytes[page][column] == byte) return;
  canvas_bytes[page][column] = byte;
  canvas_shown = false;
  if (first[page] == end[page]) {
    first[page] = column;
    end[page] = after;
  }
  if (column < first[page]) first[page] = column;
  if (after > end[page]) end[page] = after;
}

void canvas_bar(int16_t left, int16_t top, int16_t right, int16_t bottom, bool lit) {
  if (left < 0) left = 0;
  if (top < 0) top = 0;
  if (right >= CANVAS_WIDTH) right = CANVAS_WIDTH - 1;
  if (bottom >= CANVAS_HEIGHT) bottom = CANVAS_HEIGHT - 1;
  if (left > right) return;
  for (; top <= bottom; top = (top | 7) + 1) {
    uint8_t bits = (uint8_t)(0xFF << (top & 7));
    if (bottom < (top | 7)) bits = (uint8_t)(bits & 0xFF >> (7 - (bottom & 7)));
    const uint8_t page = (uint8_t)(top >> 3);
    for (uint8_t x = (uint8_t)left; x <= right; x++) {
      const uint8_t old = canvas_bytes[page][x];
      put(page, x, (uint8_t)(lit ? old | bits : old & ~bits));
    }
  }
}

bool canvas_changed(struct canvas_part *part) {
  for (uint8_t page = 0; page < CANVAS_PAGES; page++) {
    const uint8_t count = (uint8_t)(end[page] - first[page]);
    if (count == 0) continue;
    *part = (struct canvas_part){page, first[page], count < CANVAS_PART ? count : CANVAS_PART};
    return true;
  }
  return false;
}

void canvas_sent(const struct canvas_part *part) {
  first[part->page] = (uint8_t)(first[part->page] + part->count);
}

void canvas_touch(void) {
  for (uint8_t page = 0; page < CANVAS_PAGES; page++) {
    first[page] = 0;
    end[page] = CANVAS_WIDTH;
  }
}

#else

void canvas_bar(int16_t left, int16_t top, int16_t right, int16_t bottom, bool lit) {
  (void)left;
  (void)top;
  (void)right;
  (void)bottom;
  (void)lit;
}

#endif
