/* A DC motor at an H bridge. Position infinity: it turns with the velocity that was set, as wb_motor tells.
   Any other position: it goes there, not faster than that velocity, by the gain P of its controlPID. */
#include "hbridge.h"

#include <math.h>

#include "board.h"
#ifdef QUADRATURE_ENCODER_COUNT
#include "quadrature_encoder.h"
#endif

#define ROUND 10 /* ms between two looks at the way to a position */

struct state {
  real position, velocity;
  bool moves;      /* a command has come since the last stop */
  uint16_t waited; /* ms since the way to the position was looked at */
};

static struct state states[HBRIDGE_COUNT];

/* Let the motor turn, as far as an open bridge can tell, with a velocity. */
static void drive(uint8_t k, real velocity) {
  const FLASH struct hbridge *motor = &hbridge_table[k];
  real share = (real)fabs(velocity) / motor->full_speed;
  if (share > 0) share = motor->least_duty + share * (1 - motor->least_duty);
  if (share > 1) share = 1;
  board_output(motor->forward, velocity > 0);
  board_output(motor->backward, velocity < 0);
  board_pwm(motor->pwm, (uint8_t)(share * BOARD_DUTY_FULL + REAL(0.5)));
}

void hbridge_start(uint8_t k) {
  states[k].position = 0;
  states[k].velocity = hbridge_table[k].max_velocity;
  hbridge_stop(k);
}

void hbridge_stop(uint8_t k) {
  states[k].moves = false;
  drive(k, 0);
}

/* The velocity that leads to the position; 0 where nothing measures how far it is. */
static real approach(uint8_t k) {
#ifdef QUADRATURE_ENCODER_COUNT
  const FLASH struct hbridge *motor = &hbridge_table[k];
  real measured;
  if (motor->encoder == NO_DEVICE || !quadrature_encoder_position(motor->encoder, &measured)) return 0;
  const real wanted = (states[k].position - measured) * motor->gain;
  const real most = (real)fabs(states[k].velocity);
  return wanted > most ? most : wanted < -most ? -most : wanted;
#else
  (void)k;
  return 0;
#endif
}

static void act(uint8_t k) {
  const struct state *state = &states[k];
  if (!state->moves) return;
  if (isinf(state->position))
    drive(k, state->position > 0 ? state->velocity : -state->velocity);
  else
    drive(k, approach(k));
}

void hbridge_position(uint8_t k, real position) {
  states[k].position = position;
  states[k].moves = true;
  act(k);
}

void hbridge_velocity(uint8_t k, real velocity) {
  states[k].velocity = velocity;
  states[k].moves = true;
  act(k);
}

void hbridge_update(uint8_t k, uint16_t elapsed) {
  struct state *state = &states[k];
  state->waited += elapsed;
  if (state->waited < ROUND || !state->moves || isinf(state->position)) return;
  state->waited = 0;
  act(k);
}
