/* The robot's end of the robot link: a state machine without a clock or a wire. */
#ifndef LINK_H
#define LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

/* A message to send; size 0: none. Valid until the next call. */
struct answer {
  const uint8_t *data;
  uint16_t size;
};

/* Takes a message at the time `now` (ms). Its buffer has at least LINK_MESSAGE bytes and may be overwritten.
 */
struct answer link_receive(uint8_t *message, uint16_t size, uint32_t now);

/* Checks the watchdog: stops the robot if its controller has been silent for too long. */
void link_tick(uint32_t now);

/* Ends the session and stops the robot. */
void link_end(void);

#ifdef LINK_CONNECTIONS
/* Refuses a message that the link shall not see, as link_receive() would; `size` 0: it is unreadable. */
struct answer link_refuse(uint8_t *message, uint16_t size, uint8_t reason);

/* True if a controller has a session. */
bool link_is_driven(void);
#endif

#endif
