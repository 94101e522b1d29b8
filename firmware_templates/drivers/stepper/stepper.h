/* A stepper motor with four inputs. */
#ifndef STEPPER_H
#define STEPPER_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"
#include "steps.h"

struct stepper {
  uint8_t in1, in2, in3, in4;
  struct steps_setup motion;
};

extern const FLASH struct stepper stepper_table[STEPPER_COUNT];

void stepper_start(uint8_t k);
void stepper_position(uint8_t k, real position);
void stepper_velocity(uint8_t k, real velocity);
void stepper_acceleration(uint8_t k, real acceleration);
void stepper_stop(uint8_t k);
void stepper_tick(uint8_t k);

#endif
