/* A DC motor on an H bridge. If the target position is infinite, the motor runs at the target velocity.
 * Otherwise a proportional controller with the gain P of controlPID moves it to the target position, at most
 * at the target velocity. */
#include "hbridge.h"

#include <math.h>

#include "board.h"
#ifdef QUADRATURE_ENCODER_COUNT
#include "quadrature_encoder.h"
#endif

#define CONTROL_PERIOD 10 /* ms between updates of the position controller */

struct state {
  real position, velocity;
  bool active;            /* a command was set since the last stop */
  uint16_t since_control; /* ms since the last update of the position controller */
};

static struct state states[HBRIDGE_COUNT];

/* Sets the direction and the duty for a velocity (open loop). */
static void drive(uint8_t k, real velocity) {
  const FLASH struct hbridge *motor = &hbridge_table[k];
  real duty = (real)fabs(velocity) / motor->full_speed;
  if (duty > 0) duty = motor->least_duty + duty * (1 - motor->least_duty);
  if (duty > 1) duty = 1;
  board_output(motor->forward, velocity > 0);
  board_output(motor->backward, velocity < 0);
  board_pwm(motor->pwm, (uint8_t)(duty * BOARD_DUTY_FULL + REAL(0.5)));
}

void hbridge_start(uint8_t k) {
  states[k].position = 0;
  states[k].velocity = hbridge_table[k].max_velocity;
  hbridge_stop(k);
}

void hbridge_stop(uint8_t k) {
  states[k].active = false;
  drive(k, 0);
}

/* The velocity toward the target position; 0 without an encoder. */
static real approach_velocity(uint8_t k) {
#ifdef QUADRATURE_ENCODER_COUNT
  const FLASH struct hbridge *motor = &hbridge_table[k];
  real measured;
  if (motor->encoder == NO_DEVICE || !quadrature_encoder_position(motor->encoder, &measured)) return 0;
  const real proportional = (states[k].position - measured) * motor->gain;
  const real limit = (real)fabs(states[k].velocity);
  return proportional > limit ? limit : proportional < -limit ? -limit : proportional;
#else
  (void)k;
  return 0;
#endif
}

static void update_output(uint8_t k) {
  const struct state *state = &states[k];
  if (!state->active) return;
  if (isinf(state->position))
    drive(k, state->position > 0 ? state->velocity : -state->velocity);
  else
    drive(k, approach_velocity(k));
}

void hbridge_position(uint8_t k, real position) {
  states[k].position = position;
  states[k].active = true;
  update_output(k);
}

void hbridge_velocity(uint8_t k, real velocity) {
  states[k].velocity = velocity;
  states[k].active = true;
  update_output(k);
}

void hbridge_update(uint8_t k, uint16_t elapsed) {
  struct state *state = &states[k];
  state->since_control += elapsed;
  if (state->since_control < CONTROL_PERIOD || !state->active || isinf(state->position)) return;
  state->since_control = 0;
  update_output(k);
}
