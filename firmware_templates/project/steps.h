/* The motion of a stepper motor: when it makes its next step, and in which direction. */
#ifndef STEPS_H
#define STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

struct steps {
  real position, velocity; /* the commands, in the motor's unit */
  real due;                /* part of the next step that time has brought */
  int32_t count;           /* steps since the start */
  bool active;             /* a command was set since the last stop */
};

/* Forgets all commands, at the start and at stops; `velocity` is the maximum velocity. */
void steps_start(struct steps *motor, real velocity);

/* Sets the velocity; a motor without a target position stays where it is. */
void steps_velocity(struct steps *motor, real per_unit, real velocity);

/* Returns the next step after some ms: 1 forward, -1 backward, 0 none yet; at most one for each call.
 *   per_unit: steps for each rad or m. */
int8_t steps_next(struct steps *motor, real per_unit, uint16_t elapsed);

#endif
