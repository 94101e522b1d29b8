/* A receiver on a serial line. */
#ifndef SERIAL_RECEIVER_H
#define SERIAL_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "memory.h"

struct serial_receiver {
  uint8_t rx; /* set by the board */
  uint32_t baud;
  int32_t channel; /* initial channel; -1: all */
};

extern const FLASH struct serial_receiver serial_receiver_table[SERIAL_RECEIVER_COUNT];

void serial_receiver_start(uint8_t k);
void serial_receiver_stop(uint8_t k);
void serial_receiver_channel(uint8_t k, int32_t channel);
uint8_t serial_receiver_packets(uint8_t k, uint8_t *value, uint8_t space);
void serial_receiver_update(uint8_t k, uint16_t elapsed);

#endif
