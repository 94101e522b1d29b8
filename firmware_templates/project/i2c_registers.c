/* Registers of parts on the I2C bus. */
#include "i2c_registers.h"

#include "board.h"

bool i2c_read(uint8_t address, uint8_t first, uint8_t *in, uint8_t size) {
  return board_i2c(address, &first, 1, in, size);
}

bool i2c_write(uint8_t address, uint8_t at, uint8_t value) {
  const uint8_t out[] = {at, value};
  return board_i2c(address, out, sizeof out, 0, 0);
}

bool i2c_holds(uint8_t address, uint8_t at, uint8_t value) {
  uint8_t content;
  return i2c_read(address, at, &content, 1) && content == value;
}
