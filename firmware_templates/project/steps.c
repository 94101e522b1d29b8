/* The motion of a stepper motor. */
#include "steps.h"

#include <math.h>

#define MOST_DUE                                                                            \
  REAL(2.0) /* steps that a busy board makes up for; more would come too fast for the motor \
             */

void steps_start(struct steps *motor, real velocity) {
  motor->position = 0;
  motor->velocity = velocity;
  motor->due = 0;
  motor->active = false;
}

void steps_velocity(struct steps *motor, real per_unit, real velocity) {
  if (!motor->active) motor->position = motor->count / per_unit;
  motor->velocity = velocity;
  motor->active = true;
}

/* The direction of the command: 1, -1, or 0 if the motor is at its position or stands. */
static int8_t direction(const struct steps *motor, real per_unit) {
  if (isinf(motor->position)) {
    const bool forward = (motor->position > 0) == (motor->velocity > 0);
    return motor->velocity == 0 ? 0 : forward ? 1 : -1;
  }
  const real target = motor->position * per_unit;
  const int32_t steps = (int32_t)(target < 0 ? target - REAL(0.5) : target + REAL(0.5));
  return motor->count < steps ? 1 : motor->count > steps ? -1 : 0;
}

int8_t steps_next(struct steps *motor, real per_unit, uint16_t elapsed) {
  const int8_t way = motor->active ? direction(motor, per_unit) : 0;
  if (way == 0) {
    motor->due = 0;
    return 0;
  }
  motor->due += (real)fabs(motor->velocity) * per_unit * elapsed / 1000;
  if (motor->due > MOST_DUE) motor->due = MOST_DUE;
  if (motor->due < 1) return 0;
  motor->due -= 1;
  motor->count += way;
  return way;
}
