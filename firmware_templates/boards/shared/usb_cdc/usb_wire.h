/* The wire over USB, for the board that has it. */
#ifndef USB_WIRE_H
#define USB_WIRE_H

#include <stdbool.h>

/* True if a received byte is waiting, or the port was closed. */
bool wire_has_byte(void);

/* To be called in board_idle() before sleeping: sends what was written, and starts the boot loader if the
 * host has asked for it. */
void wire_idle(void);

#endif
