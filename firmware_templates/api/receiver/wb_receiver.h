/* Receiver. */
#ifndef WB_RECEIVER_H
#define WB_RECEIVER_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct receiver {
  uint8_t value;   /* received packets */
  uint8_t channel; /* command */
  int32_t start_channel;
};

extern const FLASH struct receiver receiver_table[RECEIVER_DEVICES];

/* Queues packets, as the link encodes them, for the controller. */
void receiver_take(uint8_t index, const uint8_t *value);

#endif
