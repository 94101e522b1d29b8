/* Emitter. */
#ifndef WB_EMITTER_H
#define WB_EMITTER_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct emitter {
  uint8_t packets, range; /* commands */
  int32_t start_channel, buffer_size;
  double start_range;
};

extern const FLASH struct emitter emitter_table[EMITTER_DEVICES];

#endif
