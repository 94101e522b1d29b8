/* Receivers. */
#ifndef WB_RECEIVER_H
#define WB_RECEIVER_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct receiver {
  uint8_t value;   /* the packets that are sensed */
  uint8_t channel; /* that is set */
  int32_t start_channel;
};

extern const FLASH struct receiver receiver_table[RECEIVER_DEVICES];

/* Keep packets, as the link writes them, until the controller has read them. */
void receiver_take(uint8_t place, const uint8_t *value);

#endif
