/* The bench's end of the second serial port. */
#ifndef SERIAL_H
#define SERIAL_H

#include <stddef.h>
#include <stdint.h>

/* Sends bytes to the program; bytes that do not fit are lost. */
void serial_put(const uint8_t *data, size_t size);

/* Prints the bytes sent by the program since the last call. */
void serial_print(void);

#endif
