/* A stepper motor on a driver with step and direction inputs. It starts at position 0. A stop holds the
 * motor; its driver keeps the coils on. */
#include "step_direction.h"

#include "board.h"

static struct state {
  struct steps motion;
  int8_t shown; /* the heading at the direction input */
  bool is_high;
} motors[STEP_DIRECTION_COUNT];

void step_direction_start(uint8_t k) {
  board_output(step_direction_table[k].step, false);
  board_output(step_direction_table[k].direction, false);
  steps_start(&motors[k].motion, &step_direction_table[k].motion);
}

void step_direction_position(uint8_t k, real position) {
  steps_position(&motors[k].motion, &step_direction_table[k].motion, position);
}

void step_direction_velocity(uint8_t k, real velocity) {
  steps_velocity(&motors[k].motion, &step_direction_table[k].motion, velocity);
}

void step_direction_acceleration(uint8_t k, real acceleration) {
  steps_acceleration(&motors[k].motion, &step_direction_table[k].motion, acceleration);
}

void step_direction_stop(uint8_t k) { steps_stop(&motors[k].motion, &step_direction_table[k].motion); }

/* A pulse lasts from one tick to the next. The direction changes at least a tick before a step, which is more
 * than drivers need (A4988: 0.2 us before, 1 us high and low). */
void step_direction_tick(uint8_t k) {
  const FLASH struct step_direction *motor = &step_direction_table[k];
  struct state *state = &motors[k];
  if (state->is_high) board_output(motor->step, false);
  state->is_high = steps_tick(&state->motion, &motor->motion) != 0;
  if (state->is_high) board_output(motor->step, true);
  const int8_t heading = state->motion.heading;
  if (heading == 0 || heading == state->shown) return;
  state->shown = heading;
  board_output(motor->direction, (heading > 0) != motor->motion.inverted);
}
