/* The board that is a program: its I2C bus leads to the tables of registers that the bench writes and reads.
 */
#include "board.h"
#include "registers.h"

void board_i2c_start(void) {}

bool board_i2c(uint8_t address, const uint8_t *out, uint8_t out_size, uint8_t *in, uint8_t in_size) {
  if (!registers_plugged(address)) return false;
  for (uint8_t k = 0; k < out_size; k++) registers_write(address, k == 0, out[k]);
  for (uint8_t k = 0; k < in_size; k++) in[k] = registers_read(address);
  return true;
}
