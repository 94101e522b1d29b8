/* The robot's devices by tag. devices.c has the data. */
#ifndef DEVICES_H
#define DEVICES_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct device {
  uint8_t kind;  /* DEVICE_..., as in config.h */
  uint8_t index; /* among the devices of its kind; NO_DEVICE: not on the board */
  uint8_t node;  /* number of the node type */
  const FLASH char *name;
};

/* The robot has tag 0. */
extern const FLASH struct device devices[DEVICES + 1];

/* Returns the index of a device among those of its kind. Returns NO_DEVICE if it is not on the board, and
 * also reports a tag that is unknown or of another kind. */
uint8_t device_index(uint16_t tag, uint8_t kind);

/* The tag of the first device with a name; 0 if there is none. */
uint16_t device_named(const char *name);

/* A device's name, copied from flash; valid until the next call. */
const char *device_name(uint16_t tag);

#endif
