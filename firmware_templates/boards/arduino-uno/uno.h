/* What the files of this board share. */
#ifndef UNO_H
#define UNO_H

#include <stdbool.h>

/* Start the serial port. */
void wire_start(void);

/* Has a byte come that nobody has read? */
bool wire_waits(void);

#endif
