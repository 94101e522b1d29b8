/* The robot's channels and sampling periods as the robot link numbers them. table.c has the data. */
#ifndef TABLE_H
#define TABLE_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

/* Type of a channel's numbers. A varying value starts with its size in bytes. */
enum number_kind { NUMBER_BOOL, NUMBER_INT, NUMBER_FLOAT, NUMBER_REAL, NUMBER_BYTE, NUMBER_VARYING };

#define CHANNEL_ACT 1    /* a command; otherwise a sensor value */
#define CHANNEL_DRIVEN 2 /* served by a driver */
#define NO_SLOT 0xFF

struct channel {
  uint8_t kind; /* enum number_kind */
  uint8_t flags;
  uint8_t slot;
  uint16_t count; /* of numbers */
};

extern const FLASH struct channel table_channels[TABLE_CHANNELS];
extern const FLASH uint8_t table_hash[8];

#if LINK_TABLE_SIZE
extern const FLASH char table_text[];
#endif

#endif
