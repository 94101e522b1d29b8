/* A DC motor on a motor driver with two PWM inputs: one has the duty, the other is low. If the target
 * position is infinite, the motor runs at the target velocity; it cannot move to other positions. */
#include "drv8833.h"

#include <math.h>

#include "board.h"

struct state {
  real position, velocity;
};

static struct state states[DRV8833_COUNT];

/* Sets the duties for a velocity (open loop). The input that falls comes first, so that both are never high.
 */
static void drive(uint8_t k, real velocity) {
  const FLASH struct drv8833 *motor = &drv8833_table[k];
  real duty = (real)fabs(velocity) / motor->full_speed;
  if (duty > 0) duty = motor->least_duty + duty * (1 - motor->least_duty);
  if (duty > 1) duty = 1;
  board_pwm(velocity > 0 ? motor->backward : motor->forward, 0);
  board_pwm(velocity > 0 ? motor->forward : motor->backward, (uint8_t)(duty * BOARD_DUTY_FULL + REAL(0.5)));
}

void drv8833_start(uint8_t k) {
  states[k].position = 0;
  states[k].velocity = drv8833_table[k].max_velocity;
  drv8833_stop(k);
}

void drv8833_stop(uint8_t k) { drive(k, 0); }

static void update_output(uint8_t k) {
  const struct state *state = &states[k];
  if (isinf(state->position))
    drive(k, state->position > 0 ? state->velocity : -state->velocity);
  else
    drive(k, 0);
}

void drv8833_position(uint8_t k, real position) {
  states[k].position = position;
  update_output(k);
}

void drv8833_velocity(uint8_t k, real velocity) {
  states[k].velocity = velocity;
  update_output(k);
}
