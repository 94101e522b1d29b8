/* A stepper motor on a driver with step and direction inputs. */
#ifndef STEP_DIRECTION_H
#define STEP_DIRECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "config.h"
#include "memory.h"
#include "steps.h"

struct step_direction {
  uint8_t step, direction;
  struct steps_setup motion;
};

extern const FLASH struct step_direction step_direction_table[STEP_DIRECTION_COUNT];

void step_direction_start(uint8_t k);
void step_direction_position(uint8_t k, real position);
void step_direction_velocity(uint8_t k, real velocity);
void step_direction_acceleration(uint8_t k, real acceleration);
void step_direction_stop(uint8_t k);
void step_direction_tick(uint8_t k);

#endif
