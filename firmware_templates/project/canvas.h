/* The picture of a monochrome display, as its memory holds it, and the bytes that have changed. */
#ifndef CANVAS_H
#define CANVAS_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

#define CANVAS_WIDTH 128
#define CANVAS_HEIGHT (8 * CANVAS_PAGES)
#define CANVAS_PART 24 /* maximum bytes sent at once; some libraries send at most 32 with their commands */

/* A byte is 8 pixels of a column, the upper one in bit 0; a page has one byte for each column. */
extern uint8_t canvas_bytes[CANVAS_PAGES][CANVAS_WIDTH];

/* Lights or darkens a rectangle with its corners included; what is outside of the picture is not drawn. */
void canvas_bar(int16_t left, int16_t top, int16_t right, int16_t bottom, bool lit);

/* True while the display shows the picture, as its driver notes. Test benches read it by name. */
extern bool canvas_shown;

/* Changed bytes of a page. */
struct canvas_part {
  uint8_t page, column, count;
};

/* Finds changed bytes, at most CANVAS_PART. Returns false if there are none. */
bool canvas_changed(struct canvas_part *part);

/* Notes that they were sent. */
void canvas_sent(const struct canvas_part *part);

/* Marks all bytes as changed. */
void canvas_touch(void);

#endif
