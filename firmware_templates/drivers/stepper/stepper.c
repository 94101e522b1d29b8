/* A stepper motor with four inputs, in half steps: one coil and two coils take turns. It starts at position
 * 0. A stop switches the coils off. */
#include "stepper.h"

#include "board.h"

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

void stepper_start(uint8_t k) {
  steps_start(&motors[k], &stepper_table[k].motion);
  energize(k, 0);
}

void stepper_position(uint8_t k, real position) {
  steps_position(&motors[k], &stepper_table[k].motion, position);
}

void stepper_velocity(uint8_t k, real velocity) {
  steps_velocity(&motors[k], &stepper_table[k].motion, velocity);
}

void stepper_acceleration(uint8_t k, real acceleration) {
  steps_acceleration(&motors[k], &stepper_table[k].motion, acceleration);
}

void stepper_stop(uint8_t k) {
  steps_stop(&motors[k], &stepper_table[k].motion); /* no tick makes a step from here on */
  energize(k, 0);
}

void stepper_tick(uint8_t k) {
  const FLASH struct stepper *motor = &stepper_table[k];
  if (steps_tick(&motors[k], &motor->motion) != 0)
    energize(k, coils_at(motor->motion.inverted ? -motors[k].count : motors[k].count));
}
