/* A model servo: it is led to its position with the velocity that was set. A stop keeps it where it is. */
#include "servo.h"

#include <math.h>
#include <stdbool.h>

#include "board.h"

struct state {
  real target, velocity, position;
  bool led; /* pulses are sent */
};

static struct state states[SERVO_COUNT];

static real limited(uint8_t k, real position) {
  const real low = servo_table[k].low, high = servo_table[k].high;
  return position < low ? low : position > high ? high : position;
}

static void send(uint8_t k) {
  const FLASH struct servo *servo = &servo_table[k];
  const real share = (states[k].position - servo->low) / (servo->high - servo->low);
  const real pulse = servo->low_pulse + share * ((real)servo->high_pulse - servo->low_pulse);
  board_servo(servo->pin, (uint16_t)(pulse + REAL(0.5)));
}

void servo_start(uint8_t k) {
  states[k].velocity = servo_table[k].max_velocity;
  states[k].position = states[k].target = limited(k, 0);
  board_servo(servo_table[k].pin, 0);
}

void servo_position(uint8_t k, real position) {
  states[k].target = limited(k, position);
  if (!states[k].led) { /* nothing tells where it stands; it is led from position 0 */
    states[k].led = true;
    send(k);
  }
}

void servo_velocity(uint8_t k, real velocity) { states[k].velocity = (real)fabs(velocity); }

void servo_stop(uint8_t k) { states[k].target = states[k].position; }

void servo_update(uint8_t k, uint16_t elapsed) {
  struct state *state = &states[k];
  const real way = state->target - state->position;
  if (!state->led || way == 0) return;
  const real most = state->velocity * elapsed / 1000;
  state->position += way > most ? most : way < -most ? -most : way;
  send(k);
}
