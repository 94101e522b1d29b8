/* Register tables that emulate I2C devices, for test benches. The first byte written selects a register; each
 * further access advances to the next one. Register 0xFF selects a page of registers, 0 to 7; register 0x91
 * of page 1 is 0x191 for the bench. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/* For the bus; addresses have 7 bits. */

/* True if a device is connected. */
bool registers_connected(uint8_t address);

/* Writes a byte; `first`: the first one after a start condition. */
void registers_write(uint8_t address, bool first, uint8_t byte);

/* Reads the next byte. */
uint8_t registers_read(uint8_t address);

/* For the bench's commands. */

/* True for the name of a device or register: I2C:ADDRESS, I2C:ADDRESS:REGISTER or I2C:ADDRESS:REGISTER:2; and
 * for that of a display (ssd1306_panel.h). */
bool registers_is_name(const char *name);

/* Connects (1) or disconnects (0) a device; or sets one register, or two as a signed big-endian number.
 * Returns false for other names, and for a display too many. */
bool registers_drive(const char *name, double value);

/* Prints the value. */
void registers_show(const char *name);

#endif
