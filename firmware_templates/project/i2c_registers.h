/* Registers of parts on the I2C bus. */
#ifndef I2C_REGISTERS_H
#define I2C_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Reads successive registers. Returns false if the part does not answer. */
bool i2c_read(uint8_t address, uint8_t first, uint8_t *in, uint8_t size);

/* Sets a register. Returns false if the part does not answer. */
bool i2c_write(uint8_t address, uint8_t at, uint8_t value);

/* True if a register has a value, such as that of a part's identity. */
bool i2c_holds(uint8_t address, uint8_t at, uint8_t value);

#endif
