/* The devices of the robot by tag. devices.c has the data. */
#ifndef DEVICES_H
#define DEVICES_H

#include <stdint.h>

#include "config.h"
#include "memory.h"

struct device {
  uint8_t kind;  /* DEVICE_..., as in config.h */
  uint8_t place; /* among the devices of its kind; NO_DEVICE: it is not on the board */
  uint8_t node;  /* number of its node type */
  const FLASH char *name;
};

/* The robot has tag 0. */
extern const FLASH struct device devices[DEVICES + 1];

/* The place of a device among those of a kind. NO_DEVICE: it is not on the board; or there is none with this
   tag and kind, which is told. */
uint8_t device_place(uint16_t tag, uint8_t kind);

/* The tag of the first device with a name; 0: there is none. */
uint16_t device_named(const char *name);

/* A name that is not in flash; it is valid until the next call. */
const char *device_name(uint16_t tag);

#endif
