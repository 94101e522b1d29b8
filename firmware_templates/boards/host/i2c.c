/* Host board: I2C transfers access register tables, which the test bench reads and writes. */
#include "board.h"
#include "registers.h"

void board_i2c_start(void) {}

bool board_i2c(uint8_t address, const uint8_t *out, uint8_t out_size, uint8_t *in, uint8_t in_size) {
  if (!registers_connected(address)) return false;
  for (uint8_t k = 0; k < out_size; k++) registers_write(address, k == 0, out[k]);
  for (uint8_t k = 0; k < in_size; k++) in[k] = registers_read(address);
  return true;
}
