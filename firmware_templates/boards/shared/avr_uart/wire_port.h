/* The wire of boards with an AVR: a serial port. */
#ifndef WIRE_PORT_H
#define WIRE_PORT_H

#include <stdbool.h>

/* Starts the serial port. */
void wire_start(void);

/* True if a received byte is waiting. */
bool wire_has_byte(void);

/* There is nothing to do before the processor sleeps. */
static inline void wire_idle(void) {}

#endif
