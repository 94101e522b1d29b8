/* Holds the speed of a motor with a quadrature encoder. */
#ifndef SPEED_CONTROL_H
#define SPEED_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "memory.h"

struct speed_gains {
  real p, i, d; /* without unit, 1/s, s; all 0: open loop */
};

struct speed_control {
  real integral, correction;     /* in the motor's unit */
  real speed;                    /* measured last */
  int32_t count;                 /* of the encoder, at the last measurement */
  uint16_t phase, passed;        /* ms since the last control time, and since the last measurement */
  bool running, begun, measured; /* begun: the count is known; measured: the speed */
};

/* Forgets everything: the motor has stopped. */
void speed_control_reset(struct speed_control *control);

/* Returns the velocity to set for a target velocity; the control begins with the first target that is not 0.
 */
real speed_control_velocity(struct speed_control *control, const FLASH struct speed_gains *gains,
                            real target);

/* Lets ms pass. Returns true if the velocity to set has changed; `full` is the velocity at full duty. */
bool speed_control_update(struct speed_control *control, const FLASH struct speed_gains *gains,
                          uint8_t encoder, real target, real full, uint16_t elapsed);

#endif
