/* The robot's end of the robot link: a state machine without a clock or a wire. */
#ifndef LINK_H
#define LINK_H

#include <stdint.h>

#include "config.h"

/* A message to be sent; size 0: none. It is valid until the next call. */
struct answer {
  const uint8_t *data;
  uint16_t size;
};

/* Take a message at the time `now` (ms). Its buffer has at least LINK_MESSAGE bytes, and is written to. */
struct answer link_receive(uint8_t *message, uint16_t size, uint32_t now);

/* Look at the time: stop the robot when its controller has been silent for too long. */
void link_tick(uint32_t now);

/* The controller is gone: end the session and stop the robot. */
void link_end(void);

#endif
