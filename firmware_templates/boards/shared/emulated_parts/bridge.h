/* The direction inputs of an H bridge, for test benches: how long both are low before one rises. */
#ifndef BRIDGE_H
#define BRIDGE_H

#include <stdbool.h>
#include <stdint.h>

#define BRIDGE_INPUTS 2
#define BRIDGE_LONGEST 1000000 /* us: gaps are not measured further */

struct bridge {
  bool high[BRIDGE_INPUTS];
  uint64_t fell[BRIDGE_INPUTS]; /* us */
  uint32_t gap;                 /* us: the shortest so far; 0 if both were high */
};

/* Begins to watch inputs with these levels, which they have had for long. */
void bridge_begin(struct bridge *bridge, bool first, bool second);

/* An input (0 or 1) has a level since a time (us). */
void bridge_switch(struct bridge *bridge, uint8_t input, bool level, uint64_t now);

#endif
