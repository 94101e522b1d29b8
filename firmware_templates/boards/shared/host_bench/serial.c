/* Host board: two buffers connect the second serial port to the test bench. */
#include "serial.h"

#include <stdio.h>

#include "board.h"

#define BUFFER 4096

static uint8_t rx[BUFFER], tx[BUFFER];
static size_t rx_size, rx_at, tx_size;

void board_serial_start(uint32_t baud) { (void)baud; /* transfers take no time */ }

int16_t board_serial_read(void) {
  if (rx_at == rx_size) {
    rx_at = rx_size = 0;
    return BOARD_NO_BYTE;
  }
  return rx[rx_at++];
}

bool board_serial_write(uint8_t byte) {
  if (tx_size == sizeof tx) return false;
  tx[tx_size++] = byte;
  return true;
}

void serial_put(const uint8_t *data, size_t size) {
  for (size_t k = 0; k < size && rx_size < sizeof rx; k++) rx[rx_size++] = data[k];
}

void serial_print(void) {
  printf("taken ");
  for (size_t k = 0; k < tx_size; k++) printf("%02x", tx[k]);
  printf("\n");
  tx_size = 0;
}
