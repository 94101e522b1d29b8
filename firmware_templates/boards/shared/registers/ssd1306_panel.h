/* An emulated display with an SSD1306 on an I2C bus, for test benches: its protocol, and what its glass
 * shows. */
#ifndef SSD1306_PANEL_H
#define SSD1306_PANEL_H

#include <stdbool.h>
#include <stdint.h>

/* For the bus. */

/* True if a display is connected at an address. */
bool panel_connected(uint8_t address);

/* Writes a byte; `first`: the first one after a start condition. */
void panel_write(uint8_t address, bool first, uint8_t byte);

/* Reads its status: bit 6 is 1 while the display is off. */
uint8_t panel_read(uint8_t address);

/* For the bench's commands. */

/* True for SSD1306:ADDRESS:ROWS, with a glass of 32 or 64 rows. */
bool panel_is_name(const char *name);

/* Connects it (1), with random memory as after power-on, or disconnects it (0). Returns false for other
 * names, and if there are two already. */
bool panel_drive(const char *name, double value);

/* Prints "picture" and the pixels of the glass in hexadecimal, 8 rows after another; a byte is 8 pixels of a
 * column, the upper one in bit 0. */
void panel_show(const char *name);

#endif
