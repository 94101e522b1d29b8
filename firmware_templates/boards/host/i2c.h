/* The I2C bus of this board: what stands in the registers of the devices at it. */
#ifndef I2C_H
#define I2C_H

#include <stdbool.h>

/* Is it the name of a register or of a device: I2C:ADDRESS, I2C:ADDRESS:REGISTER or I2C:ADDRESS:REGISTER:2? */
bool i2c_is_name(const char *name);

/* Plug a device in (1) or out (0); or set a register, or two of them as a signed number, highest byte first. */
void i2c_drive(const char *name, double value);

/* Print what is there. */
void i2c_show(const char *name);

#endif
