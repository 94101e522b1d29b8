/* LEDs of a matrix: the rows are high by turns, while the columns of lit LEDs are low. */
#include "matrix_led.h"

#include <stdbool.h>

#include "board.h"

#define ROW_TICKS (BOARD_TICKS / 500) /* 2 ms: five rows are lit 100 times a second */

static volatile bool lit[MATRIX_LED_COUNT];
static bool begins_row[MATRIX_LED_COUNT]; /* no LED before it has the same row */
static uint8_t shown;                     /* the LED that begins the row that is on */
static uint8_t ticks;

void matrix_led_start(uint8_t k) {
  const FLASH struct matrix_led *led = &matrix_led_table[k];
  lit[k] = false;
  begins_row[k] = true;
  for (uint8_t before = 0; before < k; before++)
    if (matrix_led_table[before].row == led->row) begins_row[k] = false;
  board_output(led->row, false);
  board_output(led->column, true);
}

void matrix_led_value(uint8_t k, int32_t value) { lit[k] = value != 0; }

/* Sets the columns of the LEDs in the row that is on. */
static void set_columns(bool may_be_lit) {
  for (uint8_t k = shown; k < MATRIX_LED_COUNT; k++)
    if (matrix_led_table[k].row == matrix_led_table[shown].row)
      board_output(matrix_led_table[k].column, !(may_be_lit && lit[k]));
}

void matrix_led_tick(uint8_t k) {
  if (k != 0) return; /* one of them moves all on */
  ticks++;
  if (ticks < ROW_TICKS) return;
  ticks = 0;
  board_output(matrix_led_table[shown].row, false); /* dark before the columns change: no LED glimmers */
  set_columns(false);
  do shown = shown + 1 < MATRIX_LED_COUNT ? (uint8_t)(shown + 1) : 0;
  while (!begins_row[shown]);
  set_columns(true);
  board_output(matrix_led_table[shown].row, true);
}
