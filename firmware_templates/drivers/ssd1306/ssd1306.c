/* A monochrome display with an SSD1306. Each update sends at most CANVAS_PART changed bytes: 0.75 ms at
 * 400 kHz. The display is switched on when it has the first whole picture, because its memory is random
 * before.
 */
#include "ssd1306.h"

#include <string.h>

#include "board.h"
#include "canvas.h"

#define RETRY \
  100 /* ms until a display that did not answer is set up again, and between checks that it does */

/* Bytes before others (data sheet, chapter 8.1.5.2). */
#define COMMANDS 0x00 /* all that follow are commands */
#define COMMAND 0x80  /* the next one is a command */
#define DATA 0x40     /* all that follow are data */

/* Commands (data sheet, chapter 9). */
#define DISPLAY_OFF 0xAE
#define DISPLAY_ON 0xAF
#define ROWS 0xA8 /* followed by their number minus 1 */
#define OFFSET 0xD3
#define START_LINE 0x40
#define COLUMNS_FORWARD 0xA0
#define COLUMNS_REVERSED 0xA1
#define ROWS_FORWARD 0xC0
#define ROWS_REVERSED 0xC8
#define ROW_PINS 0xDA
#define PINS_IN_SEQUENCE 0x02 /* of glasses with 32 rows */
#define PINS_ALTERNATE 0x12   /* of glasses with 64 rows */
#define CONTRAST 0x81
#define NORMAL_CONTRAST 0x7F
#define SHOW_MEMORY 0xA4
#define NOT_INVERTED 0xA6
#define CLOCK 0xD5
#define NORMAL_CLOCK 0x80
#define CHARGE_PUMP 0x8D
#define PUMP_ON 0x14
#define ADDRESSING 0x20
#define BY_PAGE 0x02
#define NO_SCROLLING 0x2E
#define PAGE 0xB0
#define LOW_COLUMN 0x00
#define HIGH_COLUMN 0x10
#define NOTHING 0xE3

static bool is_set_up, is_on;
static uint16_t waiting;   /* ms until the next attempt */
static uint16_t unchecked; /* ms since the last check */

#ifndef CONTROLLER_CHANNELS
#define SQUARE 16 /* pixels */

/* Without a controller on the board, a test picture: a frame, and a square in its upper left corner. */
static void draw_test_picture(void) {
  canvas_bar(0, 0, CANVAS_WIDTH - 1, CANVAS_HEIGHT - 1, true);
  canvas_bar(1, 1, CANVAS_WIDTH - 2, CANVAS_HEIGHT - 2, false);
  canvas_bar(0, 0, SQUARE - 1, SQUARE - 1, true);
}
#endif

void ssd1306_start(uint8_t k) {
  (void)k;
#ifndef CONTROLLER_CHANNELS
  draw_test_picture();
#endif
}

static bool send(uint8_t k, const uint8_t *bytes, uint8_t size) {
  return board_i2c(ssd1306_table[k].address, bytes, size, 0, 0);
}

static bool set_up(uint8_t k) {
  const bool turned = ssd1306_table[k].upside_down;
  const uint8_t bytes[] = {
      COMMANDS,
      DISPLAY_OFF,
      ROWS,
      CANVAS_HEIGHT - 1,
      OFFSET,
      0,
      START_LINE,
      turned ? COLUMNS_FORWARD : COLUMNS_REVERSED,
      turned ? ROWS_FORWARD : ROWS_REVERSED,
      ROW_PINS,
      CANVAS_HEIGHT > 32 ? PINS_ALTERNATE : PINS_IN_SEQUENCE,
      CONTRAST,
      NORMAL_CONTRAST,
      SHOW_MEMORY,
      NOT_INVERTED,
      CLOCK,
      NORMAL_CLOCK,
      ADDRESSING,
      BY_PAGE,
      NO_SCROLLING,
      CHARGE_PUMP,
      PUMP_ON,
  };
  is_on = false;
  canvas_touch();
  return send(k, bytes, sizeof bytes);
}

static bool send_command(uint8_t k, uint8_t command) {
  const uint8_t bytes[] = {COMMANDS, command};
  return send(k, bytes, sizeof bytes);
}

static bool send_part(uint8_t k, const struct canvas_part *part) {
  uint8_t bytes[7 + CANVAS_PART] = {COMMAND, PAGE | part->page,
                                    COMMAND, LOW_COLUMN | (part->column & 0x0F),
                                    COMMAND, HIGH_COLUMN | part->column >> 4,
                                    DATA};
  memcpy(bytes + 7, &canvas_bytes[part->page][part->column], part->count);
  if (!send(k, bytes, (uint8_t)(7 + part->count))) return false;
  canvas_sent(part);
  return true;
}

/* Sends what is due next. Returns false if the display does not answer. */
static bool send_next(uint8_t k) {
  struct canvas_part part;
  if (!is_set_up) return is_set_up = set_up(k);
  if (canvas_changed(&part)) return send_part(k, &part);
  if (!is_on) return is_on = send_command(k, DISPLAY_ON);
  if (unchecked < RETRY) return true;
  unchecked = 0;
  return send_command(k, NOTHING);
}

void ssd1306_update(uint8_t k, uint16_t elapsed) {
  struct canvas_part part;
  waiting = elapsed < waiting ? waiting - elapsed : 0;
  unchecked += elapsed;
  if (waiting > 0) return;
  if (!send_next(k)) {
    is_set_up = false;
    waiting = RETRY;
  }
  canvas_shown = is_set_up && is_on && !canvas_changed(&part);
}
