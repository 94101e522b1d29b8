/* The second serial port of this board, as the bench sees it. */
#ifndef SERIAL_H
#define SERIAL_H

#include <stddef.h>
#include <stdint.h>

/* Bytes come in; what there is no room for is lost. */
void serial_give(const uint8_t *data, size_t size);

/* Print what was sent since the last time. */
void serial_taken(void);

#endif
