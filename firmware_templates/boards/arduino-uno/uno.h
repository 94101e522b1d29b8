/* Functions shared by this board's files. */
#ifndef UNO_H
#define UNO_H

#include <stdbool.h>

/* Starts the serial port. */
void wire_start(void);

/* True if a received byte is waiting. */
bool wire_has_byte(void);

#endif
