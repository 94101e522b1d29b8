/* An RC servo. Its pulse moves to the target position at the target velocity; a stop holds the current
 * position. */
#include "servo.h"

#include <math.h>
#include <stdbool.h>

#include "board.h"

struct state {
  real target, velocity, position;
  bool active; /* pulses are being sent */
};

static struct state states[SERVO_COUNT];

static real limited(uint8_t k, real position) {
  const real low = servo_table[k].low, high = servo_table[k].high;
  return position < low ? low : position > high ? high : position;
}

static void send(uint8_t k) {
  const FLASH struct servo *servo = &servo_table[k];
  const real fraction = (states[k].position - servo->low) / (servo->high - servo->low);
  const real pulse = servo->low_pulse + fraction * ((real)servo->high_pulse - servo->low_pulse);
  board_servo(servo->pin, (uint16_t)(pulse + REAL(0.5)));
}

void servo_start(uint8_t k) {
  states[k].velocity = servo_table[k].max_velocity;
  states[k].position = states[k].target = limited(k, 0);
  board_servo(servo_table[k].pin, 0);
}

void servo_position(uint8_t k, real position) {
  states[k].target = limited(k, position);
  if (!states[k].active) { /* the position is unknown; assume 0 */
    states[k].active = true;
    send(k);
  }
}

void servo_velocity(uint8_t k, real velocity) { states[k].velocity = (real)fabs(velocity); }

void servo_stop(uint8_t k) {
  states[k].target = states[k].position;
  states[k].velocity = servo_table[k].max_velocity;
}

void servo_update(uint8_t k, uint16_t elapsed) {
  struct state *state = &states[k];
  const real distance = state->target - state->position;
  if (!state->active || distance == 0) return;
  const real max_distance = state->velocity * elapsed / 1000;
  state->position += distance > max_distance    ? max_distance
                     : distance < -max_distance ? -max_distance
                                                : distance;
  send(k);
}
