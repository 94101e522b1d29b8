/* A DC motor on an H bridge. If the target position is infinite, the motor runs at the target velocity, which
 * it holds by its encoder if the hardware map sets gains.
 * Otherwise a proportional controller with the gain P of controlPID moves it to the target position, at most
 * at the target velocity. */
#include "hbridge.h"

#include <math.h>

#include "board.h"
#include "duty.h"
#include "pause.h"
#ifdef QUADRATURE_ENCODER_COUNT
#include "quadrature_encoder.h"
#endif

#define DEAD_TIME 10      /* us without a direction, longer than transistors of bridges take to switch off */
#define CONTROL_PERIOD 10 /* ms between updates of the position controller */

struct state {
  real position, velocity;
#ifdef HBRIDGE_RAMP
  real ramped; /* velocity on its way to the target */
#endif
  bool active; /* a command was set since the last stop */
  int8_t way;  /* the direction at the pins: 1, -1, or 0 for none */
#ifdef SINGLE_TRACK_ENCODER_COUNT
  volatile bool backward; /* the last direction that was not 0 */
#endif
  uint16_t since_control; /* ms since the last update of the position controller */
#ifdef HBRIDGE_SPEED_CONTROL
  struct speed_control control;
#endif
};

static struct state states[HBRIDGE_COUNT];

/* Sets a direction: 1, -1, or 0 for none. The bridge must never have both, so the other one ends first, and
 * its transistors have time to switch off. */
static void turn(uint8_t k, int8_t way) {
  const FLASH struct hbridge *motor = &hbridge_table[k];
  if (way <= 0) board_output(motor->forward, false);
  if (way >= 0) board_output(motor->backward, false);
  if (way != 0 && way != states[k].way) pause_us(DEAD_TIME);
  states[k].way = way;
#ifdef SINGLE_TRACK_ENCODER_COUNT
  if (way != 0) states[k].backward = way < 0;
#endif
  if (way != 0) board_output(way > 0 ? motor->forward : motor->backward, true);
}

/* Sets the direction and the duty for a velocity (open loop). */
static void drive(uint8_t k, real velocity) {
  const FLASH struct hbridge *motor = &hbridge_table[k];
  turn(k, velocity > 0 ? 1 : velocity < 0 ? -1 : 0);
  board_pwm(motor->pwm, duty_for(velocity, motor->full_speed, motor->least_duty));
}

#ifdef SINGLE_TRACK_ENCODER_COUNT
bool hbridge_goes_backward(uint8_t k) { return states[k].backward; }
#endif

void hbridge_start(uint8_t k) { hbridge_stop(k); }

void hbridge_stop(uint8_t k) {
  states[k].position = 0;
  states[k].velocity = hbridge_table[k].max_velocity;
  states[k].active = false;
#ifdef HBRIDGE_SPEED_CONTROL
  speed_control_reset(&states[k].control);
#endif
#ifdef HBRIDGE_RAMP
  states[k].ramped = 0;
#endif
  drive(k, 0);
}

/* Reads the encoder. Returns false if the motor has none. */
static bool measure(uint8_t k, real *position) {
#ifdef QUADRATURE_ENCODER_COUNT
  const uint8_t encoder = hbridge_table[k].encoder;
  return encoder != NO_DEVICE && quadrature_encoder_position(encoder, position);
#else
  (void)k;
  (void)position;
  return false;
#endif
}

/* The velocity toward the target position; 0 without an encoder. */
static real approach_velocity(uint8_t k) {
  real measured;
  if (!measure(k, &measured)) return 0;
  const real proportional = (states[k].position - measured) * hbridge_table[k].gain;
  const real limit = (real)fabs(states[k].velocity);
  return proportional > limit ? limit : proportional < -limit ? -limit : proportional;
}

/* The commanded velocity without position control. */
static real commanded_velocity(uint8_t k) {
  return states[k].position > 0 ? states[k].velocity : -states[k].velocity;
}

/* The target velocity without position control. */
static real target_velocity(uint8_t k) {
#ifdef HBRIDGE_RAMP
  if (hbridge_table[k].acceleration > 0) return states[k].ramped;
#endif
  return commanded_velocity(k);
}

/* The velocity to set without position control. */
static real free_velocity(uint8_t k) {
#ifdef HBRIDGE_SPEED_CONTROL
  const FLASH struct hbridge *motor = &hbridge_table[k];
  return speed_control_velocity(&states[k].control, &motor->speed, target_velocity(k));
#else
  return target_velocity(k);
#endif
}

static void update_output(uint8_t k) {
  if (!states[k].active) return;
  if (isinf(states[k].position)) {
    drive(k, free_velocity(k));
    return;
  }
#ifdef HBRIDGE_SPEED_CONTROL
  speed_control_reset(&states[k].control);
#endif
  drive(k, approach_velocity(k));
}

void hbridge_position(uint8_t k, real position) {
  states[k].position = position;
  states[k].active = true;
  update_output(k);
}

void hbridge_velocity(uint8_t k, real velocity) {
  if (!states[k].active) measure(k, &states[k].position); /* without a target, it stays where it is */
  states[k].velocity = velocity;
  states[k].active = true;
  update_output(k);
}

#ifdef HBRIDGE_RAMP
static void move_ramp(uint8_t k, uint16_t elapsed) {
  struct state *state = &states[k];
  if (!state->active || !isinf(state->position)) {
    state->ramped = 0;
    return;
  }
  if (ramp_move(&state->ramped, commanded_velocity(k), hbridge_table[k].acceleration, elapsed))
    update_output(k);
}
#endif

void hbridge_update(uint8_t k, uint16_t elapsed) {
  struct state *state = &states[k];
#ifdef HBRIDGE_RAMP
  move_ramp(k, elapsed);
#endif
#ifdef HBRIDGE_SPEED_CONTROL
  const FLASH struct hbridge *motor = &hbridge_table[k];
  if (speed_control_update(&state->control, &motor->speed, motor->encoder, target_velocity(k),
                           motor->full_speed, elapsed))
    update_output(k);
#endif
  state->since_control += elapsed;
  if (state->since_control < CONTROL_PERIOD || !state->active || isinf(state->position)) return;
  state->since_control = 0;
  update_output(k);
}
