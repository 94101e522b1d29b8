/* A stepper motor with four inputs, in half steps: one coil and two coils take turns. It starts at position
 * 0. A stop switches the coils off. */
#include "stepper.h"

#include "board.h"
#include "steps.h"

#define FULL_TURN REAL(6.283185307179586)

static struct steps motors[STEPPER_COUNT];

/* Sets the coils for a number of steps: bit 0 is the first coil. */
static void energize(uint8_t k, uint8_t coils) {
  const FLASH struct stepper *motor = &stepper_table[k];
  board_output(motor->in1, coils & 1);
  board_output(motor->in2, coils & 2);
  board_output(motor->in3, coils & 4);
  board_output(motor->in4, coils & 8);
}

static uint8_t coils_at(int32_t count) {
  static const uint8_t sequence[8] = {1, 3, 2, 6, 4, 12, 8, 9};
  return sequence[(uint8_t)count & 7];
}

void stepper_start(uint8_t k) { stepper_stop(k); }

/* Steps for each rad or m. */
static real per_unit(uint8_t k) {
  const FLASH struct stepper *motor = &stepper_table[k];
  return motor->linear ? motor->steps : motor->steps / FULL_TURN;
}

void stepper_position(uint8_t k, real position) {
  motors[k].position = position;
  motors[k].active = true;
}

void stepper_velocity(uint8_t k, real velocity) { steps_velocity(&motors[k], per_unit(k), velocity); }

void stepper_stop(uint8_t k) {
  steps_start(&motors[k], stepper_table[k].max_velocity);
  energize(k, 0);
}

void stepper_update(uint8_t k, uint16_t elapsed) {
  const FLASH struct stepper *motor = &stepper_table[k];
  if (steps_next(&motors[k], per_unit(k), elapsed) != 0)
    energize(k, coils_at(motor->inverted ? -motors[k].count : motors[k].count));
}
