/* A DC motor on a motor driver with two PWM inputs: one has the duty, the other is low. If the target
 * position is infinite, the motor runs at the target velocity, which it holds by its encoder if the hardware
 * map sets gains; it cannot move to other positions. */
#include "drv8833.h"

#include <math.h>

#include "board.h"
#include "duty.h"

struct state {
  real position, velocity;
#ifdef SINGLE_TRACK_ENCODER_COUNT
  volatile bool backward; /* the last direction that was not 0 */
#endif
#ifdef DRV8833_RAMP
  real ramped; /* velocity on its way to the target */
#endif
#ifdef DRV8833_SPEED_CONTROL
  struct speed_control control;
#endif
};

static struct state states[DRV8833_COUNT];

/* Sets the duties for a velocity (open loop). The input that falls comes first, so that both are never high.
 */
static void drive(uint8_t k, real velocity) {
  const FLASH struct drv8833 *motor = &drv8833_table[k];
  const uint8_t duty = duty_for(velocity, motor->full_speed, motor->least_duty);
#ifdef SINGLE_TRACK_ENCODER_COUNT
  if (velocity != 0) states[k].backward = velocity < 0;
#endif
  board_pwm(velocity > 0 ? motor->backward : motor->forward, 0);
  board_pwm(velocity > 0 ? motor->forward : motor->backward, duty);
}

#ifdef SINGLE_TRACK_ENCODER_COUNT
bool drv8833_goes_backward(uint8_t k) { return states[k].backward; }
#endif

void drv8833_start(uint8_t k) { drv8833_stop(k); }

void drv8833_stop(uint8_t k) {
  states[k].position = 0;
  states[k].velocity = drv8833_table[k].max_velocity;
#ifdef DRV8833_SPEED_CONTROL
  speed_control_reset(&states[k].control);
#endif
#ifdef DRV8833_RAMP
  states[k].ramped = 0;
#endif
  drive(k, 0);
}

/* The commanded velocity; 0 for a position, which the motor cannot move to. */
static real commanded_velocity(uint8_t k) {
  const struct state *state = &states[k];
  if (!isinf(state->position)) return 0;
  return state->position > 0 ? state->velocity : -state->velocity;
}

static real target_velocity(uint8_t k) {
#ifdef DRV8833_RAMP
  if (drv8833_table[k].acceleration > 0) return states[k].ramped;
#endif
  return commanded_velocity(k);
}

static void update_output(uint8_t k) {
#ifdef DRV8833_SPEED_CONTROL
  const FLASH struct drv8833 *motor = &drv8833_table[k];
  drive(k, speed_control_velocity(&states[k].control, &motor->speed, target_velocity(k)));
#else
  drive(k, target_velocity(k));
#endif
}

void drv8833_position(uint8_t k, real position) {
  states[k].position = position;
  update_output(k);
}

void drv8833_velocity(uint8_t k, real velocity) {
  states[k].velocity = velocity;
  update_output(k);
}

#if defined(DRV8833_SPEED_CONTROL) || defined(DRV8833_RAMP)
void drv8833_update(uint8_t k, uint16_t elapsed) {
  const FLASH struct drv8833 *motor = &drv8833_table[k];
#ifdef DRV8833_RAMP
  if (ramp_move(&states[k].ramped, commanded_velocity(k), motor->acceleration, elapsed)) update_output(k);
#endif
#ifdef DRV8833_SPEED_CONTROL
  if (speed_control_update(&states[k].control, &motor->speed, motor->encoder, target_velocity(k),
                           motor->full_speed, elapsed))
    update_output(k);
#endif
}
#endif
