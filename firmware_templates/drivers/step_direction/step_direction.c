/* A stepper motor on a driver with step and direction inputs. It starts at position 0. A stop holds the
 * motor; its driver keeps the coils on. */
#include "step_direction.h"

#include "board.h"
#include "steps.h"

#define FULL_TURN REAL(6.283185307179586)
#define PULSE 2 /* us: an A4988 needs 1 us */

static struct steps motors[STEP_DIRECTION_COUNT];

void step_direction_start(uint8_t k) {
  step_direction_stop(k);
  board_output(step_direction_table[k].step, false);
  board_output(step_direction_table[k].direction, false);
}

/* Steps for each rad or m. */
static real per_unit(uint8_t k) {
  const FLASH struct step_direction *motor = &step_direction_table[k];
  return motor->linear ? motor->steps : motor->steps / FULL_TURN;
}

void step_direction_position(uint8_t k, real position) {
  motors[k].position = position;
  motors[k].active = true;
}

void step_direction_velocity(uint8_t k, real velocity) { steps_velocity(&motors[k], per_unit(k), velocity); }

void step_direction_stop(uint8_t k) { steps_start(&motors[k], step_direction_table[k].max_velocity); }

void step_direction_update(uint8_t k, uint16_t elapsed) {
  const FLASH struct step_direction *motor = &step_direction_table[k];
  board_output(motor->step, false); /* it was high for 1 ms */
  const int8_t way = steps_next(&motors[k], per_unit(k), elapsed);
  if (way == 0) return;
  board_output(motor->direction, (way > 0) != motor->inverted);
  const uint32_t start = board_micros();
  while (board_micros() - start < PULSE) continue; /* the inputs settle */
  board_output(motor->step, true);
}
