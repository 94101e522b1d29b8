/* The I2C bus of an AVR board under simavr. Its devices are tables of registers (registers.h). These names
 * are of the bus itself: I2C:HELD, a device that holds the clock line low, so that no operation ends (0 or
 * 1); I2C:REFUSES, devices that refuse each byte written to them (0 or 1); and to be shown, I2C:OCCUPIED,
 * whether a transfer has begun and not been stopped, and I2C:FAULTS, the sum of 1 if a device was read after
 * a stop condition without writing to it first, of 2 if the last byte of a reading was acknowledged, and of 4
 * if bytes followed an address that no device has acknowledged. */
#ifndef SIMAVR_I2C_H
#define SIMAVR_I2C_H

#include <sim_avr.h>
#include <stdbool.h>

void i2c_start(avr_t *avr);

/* Before and after each instruction. */
void i2c_before(void);
void i2c_after(void);

/* For the bench's commands; false for other names. */
bool i2c_drive(const char *name, double value);
bool i2c_show(const char *name);

#endif
