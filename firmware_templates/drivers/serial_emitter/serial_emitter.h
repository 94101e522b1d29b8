/* An emitter on a serial line. */
#ifndef SERIAL_EMITTER_H
#define SERIAL_EMITTER_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "memory.h"

struct serial_emitter {
  uint8_t tx; /* set by the board */
  uint32_t baud;
};

extern const FLASH struct serial_emitter serial_emitter_table[SERIAL_EMITTER_COUNT];

void serial_emitter_start(uint8_t k);
void serial_emitter_packets(uint8_t k, const uint8_t *content, uint32_t size);
void serial_emitter_update(uint8_t k, uint16_t elapsed);

#endif
