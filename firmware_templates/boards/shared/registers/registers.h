/* For benches of boards: devices at the I2C bus are tables of registers. A device takes the number of a
   register with the first byte that is written to it; then it counts on. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/* For the bus; an address has 7 bits. */

/* Is a device there? */
bool registers_plugged(uint8_t address);

/* Write a byte: the first one after a start, or one of the others. */
void registers_write(uint8_t address, bool first, uint8_t byte);

/* Read the next byte. */
uint8_t registers_read(uint8_t address);

/* For who stands at the bench. */

/* Is it the name of a register or of a device: I2C:ADDRESS, I2C:ADDRESS:REGISTER or I2C:ADDRESS:REGISTER:2?
 */
bool registers_is_name(const char *name);

/* Plug a device in (1) or out (0); or set a register, or two of them as a signed number, highest byte first.
 */
void registers_drive(const char *name, double value);

/* Print what is there. */
void registers_show(const char *name);

#endif
