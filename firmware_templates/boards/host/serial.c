/* The board that is a program: its second serial port is two buffers, for which the bench stands at the other
 * end. */
#include "serial.h"

#include <stdio.h>

#include "board.h"

#define BUFFER 4096

static uint8_t given[BUFFER], taken[BUFFER];
static size_t given_size, given_at, taken_size;

void board_serial_start(uint32_t baud) { (void)baud; /* bytes take no time here */ }

int16_t board_serial_read(void) {
  if (given_at == given_size) {
    given_at = given_size = 0;
    return BOARD_NOTHING;
  }
  return given[given_at++];
}

bool board_serial_write(uint8_t byte) {
  if (taken_size == sizeof taken) return false;
  taken[taken_size++] = byte;
  return true;
}

void serial_give(const uint8_t *data, size_t size) {
  for (size_t k = 0; k < size && given_size < sizeof given; k++) given[given_size++] = data[k];
}

void serial_taken(void) {
  printf("taken ");
  for (size_t k = 0; k < taken_size; k++) printf("%02x", taken[k]);
  printf("\n");
  taken_size = 0;
}
